import { Copy } from "../parts/copy.tsx";
import { Counts } from "../parts/counts.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { Secret } from "../parts/secret.tsx";
import { Status } from "../parts/status.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { ValueTable } from "../parts/value-table.tsx";
import { visible } from "../parts/visible.ts";
import type { Tone } from "../parts/words.ts";
import { Specimen } from "./specimen.tsx";

const TONES: readonly Tone[] = ["asks", "busy", "good", "bad", "quiet"];
const NO_CHANGES = {
  hasChanges: false,
  additions: 0,
  changes: 0,
  destructions: 0,
  replacements: 0,
  forgets: 0,
  moves: 0,
  imports: 0,
};
const RUN = { status: "PLANNING", isTerminal: false, outcome: null, requiredAction: "NONE" };
const HOUR_MS = 3_600_000;
const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
/** A text that would look like another one, and is too long for a phone. */
const LONG = visible(
  "arn:aws:iam::123456789012:role/platform-production-\u202edeployment-of-everything-in-one-account",
);

/** The parts that show texts, states and numbers. */
export function TextSpecimens() {
  return (
    <>
      <Specimen name="Marks">
        {TONES.map((tone) => (
          <p key={tone}>
            <Mark tone={tone}>{tone}</Mark>
          </p>
        ))}
      </Specimen>
      <Specimen name="Statuses">
        <p>
          <Status run={RUN} />
        </p>
        <p>
          <Status run={{ ...RUN, status: "AWAITING_PLAN_APPROVAL", requiredAction: "REVIEW_PLAN" }} />
        </p>
        <p>
          <Status run={{ ...RUN, status: "APPLIED", isTerminal: true, outcome: "APPLIED" }} />
        </p>
        <p>
          <Status run={{ ...RUN, status: "FAILED", isTerminal: true, requiredAction: "FIX_AND_RERUN" }} />
        </p>
        <p>
          <Status run={{ ...RUN, status: "DISCARDED", isTerminal: true }} />
        </p>
      </Specimen>
      <Specimen name="Counts">
        <p>
          <Counts plan={NO_CHANGES} />
        </p>
        <p>
          <Counts plan={{ ...NO_CHANGES, hasChanges: true, additions: 1 }} />
        </p>
        <p>
          <Counts plan={{ ...NO_CHANGES, outputCounts: { additions: 0, changes: 0, destructions: 1 } }} />
        </p>
        <p>
          <Counts
            plan={{
              hasChanges: true,
              additions: 4,
              changes: 3000,
              destructions: 2,
              replacements: 1,
              forgets: 1,
              moves: 1,
              imports: 7,
              outputCounts: { additions: 1, changes: 2, destructions: 0 },
            }}
          />
        </p>
      </Specimen>
      <Specimen name="Times">
        <p>
          <Ago at={at(0)} />
        </p>
        <p>
          <Ago at={at(-3 * HOUR_MS)} />
        </p>
        <p>
          <Ago at={at(50 * HOUR_MS)} />
        </p>
      </Specimen>
      <Specimen name="Facts">
        <Facts>
          <Fact name="Source">{LONG}</Fact>
          <Fact name="Drift">none</Fact>
        </Facts>
      </Specimen>
      <Specimen name="Table">
        <Table label="Sets" heads={["Name", "State", "Commands"]}>
          <tr>
            <th scope="row">{LONG}</th>
            <td>
              <Mark tone="good">on</Mark>
            </td>
            <td>
              <button type="button">Switch off</button>
            </td>
          </tr>
          <tr>
            <td>empty</td>
            <td>{""}</td>
            <td>{""}</td>
          </tr>
        </Table>
      </Specimen>
      <ValueTable
        title="Values"
        values={[
          { name: "vpc_id", sensitive: false, text: LONG },
          { name: "password", sensitive: true, text: "never shown" },
        ]}
      />
      <Specimen name="State of a list">
        <ListState read={{ fetching: true }} count={0} empty="Nothing waits." />
        <ListState read={{ fetching: false }} count={0} empty="Nothing waits." />
        <ListState read={{ fetching: false, error: { message: "The server does not answer." } }} count={0} empty="" />
      </Specimen>
      <Specimen name="Refusals">
        <Refusal refused={null} />
        <Refusal refused={{ message: "You may not do this here.", issues: [], url: null }} />
        <Refusal refused={{ message: "name: must be unique.", issues: [], url: null }} isMarked />
        <Refusal refused={{ message: "Prove that it is you.", issues: [], url: "/auth/login?prompt=login" }} />
      </Specimen>
      <Specimen name="Secret">
        <Secret given={{ name: "The token", secret: "hpt_specimen", usage: "curl -H 'authorization: Bearer …'" }} />
      </Specimen>
      <Specimen name="Copy">
        <Copy text="copied" label="Copy the link" />
      </Specimen>
    </>
  );
}
