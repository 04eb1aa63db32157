import {
  BoxesField,
  ChoiceField,
  FileField,
  IssuesContext,
  LinesField,
  RadioField,
  TextField,
} from "../parts/text-field.tsx";
import { WorkspaceChoice } from "../parts/workspace-choice.tsx";
import { Specimen } from "./specimen.tsx";

const CHOICES = [
  ["plan", "The plan gate"],
  ["apply", "The apply gate"],
] as const;
const ISSUES = ["text", "lines", "choice", "boxes", "file"].map((name) => ({
  path: [name],
  message: "must be another one.",
}));

/** The fields of forms: empty, filled, and with a problem. */
export function FieldSpecimens() {
  return (
    <>
      <Specimen name="Fields">
        <TextField name="text" label="Name" required hint="Small letters." />
        <TextField name="optional" label="Purpose" placeholder="sells things" />
        <TextField name="number" label="Approvals" type="number" required min={1} defaultValue={2} />
        <TextField name="day" label="Last day" type="date" />
        <LinesField name="lines" label="Value" rows={2} hint="As it is typed." />
        <FileField name="file" label="Archive" accept=".tgz" hint="A tar.gz." />
        <ChoiceField name="choice" label="Gate" choices={CHOICES} hint="One of two." />
        <RadioField name="radio" label="Kind" choices={CHOICES} />
        <BoxesField name="boxes" label="Gates" choices={CHOICES} checked={["apply"]} hint="Any number of them." />
        <BoxesField name="none" label="Nothing to choose" choices={[]} />
        <WorkspaceChoice
          organization="default"
          name="scope"
          label="Place"
          others={[["org_1", "all of the organization"]]}
        />
      </Specimen>
      <Specimen name="Fields with problems">
        <IssuesContext value={ISSUES}>
          <TextField name="text" label="Name" required defaultValue="Shop!" />
          <LinesField name="lines" label="Value" rows={2} />
          <FileField name="file" label="Archive" accept=".tgz" />
          <ChoiceField name="choice" label="Gate" choices={CHOICES} />
          <BoxesField name="boxes" label="Gates" choices={CHOICES} />
        </IssuesContext>
      </Specimen>
    </>
  );
}
