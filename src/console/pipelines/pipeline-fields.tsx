import { useState } from "react";
import type { PipelineRowFragment } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { BoxesField, TextField } from "../parts/text-field.tsx";
import styles from "./pipeline-fields.module.css";
import { stageField } from "./pipeline-input.ts";

type Stage = PipelineRowFragment["stages"][number];

interface Row {
  readonly key: string;
  readonly stage: Stage | null;
}

const FEWEST = 2;
const MOST = 10;

const newRow = (stage: Stage | null = null): Row => ({ key: crypto.randomUUID(), stage });

/** The fields of a new pipeline, or of one that is changed, with its stages in their order. */
export function PipelineFields({ pipeline }: { pipeline?: PipelineRowFragment }) {
  const [opened] = useState(() => pipeline?.stages.map((stage) => newRow(stage)) ?? [newRow(), newRow()]);
  const [rows, setRows] = useState(opened);
  return (
    <>
      <TextField name="name" label="Name" required maxLength={100} defaultValue={pipeline?.name ?? ""} />
      {rows.map(({ key, stage }, index) => (
        <fieldset key={key} className={styles["stage"]} data-stage={index} data-opened={opened.length}>
          <legend>Stage {index + 1}</legend>
          <StageFields index={index} stage={stage} />
          {rows.length > FEWEST && (
            <button type="button" onClick={() => setRows(rows.filter((row) => row.key !== key))}>
              Remove stage {index + 1}
            </button>
          )}
        </fieldset>
      ))}
      {rows.length < MOST && (
        <Commands>
          <button type="button" onClick={() => setRows([...rows, newRow()])}>
            Add a stage
          </button>
        </Commands>
      )}
    </>
  );
}

/** The fields of a stage. Nothing is promoted to the first one. */
function StageFields({ index, stage }: { index: number; stage: Stage | null }) {
  return (
    <>
      <TextField name={stageField(index, "name")} label="Name of the stage" required defaultValue={stage?.name ?? ""} />
      <TextField
        name={stageField(index, "label")}
        label="Label of its workspaces"
        required
        hint="key, or key:value."
        defaultValue={stage?.label ?? ""}
      />
      {index > 0 && (
        <>
          <TextField
            name={stageField(index, "soakMinutes")}
            label="Minutes for which the stage before soaks"
            type="number"
            min={0}
            max={43_200}
            defaultValue={stage?.soakMinutes ?? 0}
          />
          <BoxesField
            name={stageField(index, "automatic")}
            label="Promotion"
            choices={[["yes", "Automatic, of what was pushed to a branch"]]}
            checked={stage?.automatic === true ? ["yes"] : []}
          />
        </>
      )}
    </>
  );
}
