import { useNavigate } from "@tanstack/react-router";
import {
  PolicySimulationDocument,
  type PolicySimulationQuery,
  SimulatePolicySetDocument,
  StopPolicySimulationDocument,
} from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { TextField } from "../parts/text-field.tsx";
import { usePoll } from "../parts/use-poll.ts";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import type { ShownSet } from "./shown-set.ts";

type ShownSimulation = Extract<NonNullable<PolicySimulationQuery["node"]>, { __typename: "PolicySimulation" }>;

/** A later release may have more outcomes, which are shown as work. */
const TONES: Readonly<Record<string, Tone>> = {
  NEWLY_DENIED: "bad",
  NEWLY_PASSING: "good",
  SAME: "quiet",
  ERROR: "bad",
  UNKNOWN: "asks",
};

interface SimulationOf {
  readonly organization: string;
  readonly organizationId: string;
  readonly set: ShownSet;
  readonly versionId: string;
  readonly simulationId: string | undefined;
}

/** Judges plans that are there by a version, without a consequence, and shows what would differ. */
export function Simulation({ organization, organizationId, set, versionId, simulationId }: SimulationOf) {
  const navigate = useNavigate();
  const number = set.versions.edges.find(({ node }) => node.id === versionId)?.node.number;
  return (
    <section className="panel" aria-label="Simulation">
      <h2>Try v{number} on plans that are there</h2>
      <Commands>
        <FormCommand
          document={SimulatePolicySetDocument}
          label="Try it"
          title={`Try v${number} of ${visible(set.name)}`}
          submit="Try it"
          inputOf={(form) => ({
            policySetId: set.id,
            versionId,
            filter: { organizationId },
            last: Number(textOfField(form, "last")),
          })}
          onDone={({ simulation }) =>
            void navigate({
              to: "/o/$organization/policies/$set",
              params: { organization, set: set.id },
              search: { version: versionId, simulation: simulation.id },
            })
          }
        >
          <p>It decides nothing: runs stay as they are.</p>
          <TextField
            name="last"
            label="Number of the newest plans"
            type="number"
            required
            defaultValue="50"
            min={1}
            max={500}
          />
        </FormCommand>
      </Commands>
      {simulationId !== undefined && <SimulationView id={simulationId} />}
    </section>
  );
}

function SimulationView({ id }: { id: string }) {
  const [read, onChange] = useDocument(PolicySimulationDocument, { id });
  const node = read.data?.node;
  const simulation = node?.__typename === "PolicySimulation" ? node : null;
  const isRunning = simulation?.state === "RUNNING";
  usePoll(isRunning, onChange);
  if (simulation === null) {
    return <ListState read={read} count={0} empty="There is no such simulation that you may see." />;
  }
  return (
    <>
      <output>
        {simulation.done} of {simulation.total} plans, {wordsOf(simulation.state)}: {simulation.newlyDenied} newly
        denied, {simulation.newlyPassing} newly passing, {simulation.unknown} unknown, {simulation.errors} with an
        error.
      </output>
      {isRunning && (
        <Command document={StopPolicySimulationDocument} input={{ simulationId: id }} label="Stop" onDone={onChange} />
      )}
      <SimulationResults simulation={simulation} />
    </>
  );
}

function SimulationResults({ simulation }: { simulation: ShownSimulation }) {
  const results = simulation.results.edges.map(({ node }) => node);
  if (results.length === 0) return null;
  return (
    <Table label="Results of the simulation" heads={["Run", "Outcome", "Before", "After", "Findings"]}>
      {results.map((result) => (
        <tr key={result.planId}>
          <td>
            {result.run == null ? "a run that is gone" : <RunLink run={result.run} />} plan v{result.planVersion}
          </td>
          <td>
            {result.outcome == null ? (
              "waits"
            ) : (
              <Mark tone={TONES[result.outcome] ?? "busy"}>{wordsOf(result.outcome)}</Mark>
            )}
          </td>
          <td>{result.before == null ? "not judged" : wordsOf(result.before)}</td>
          <td>{result.after == null ? visible(result.error ?? "") : wordsOf(result.after)}</td>
          <td>
            {result.findings.map(({ policy, rule, level, message, addresses }) => (
              <div key={`${policy} ${rule} ${message} ${addresses.join()}`}>
                {visible(message)}{" "}
                <span className="quiet">
                  {wordsOf(level)} {addresses.map(visible).join(", ")}
                </span>
              </div>
            ))}
          </td>
        </tr>
      ))}
    </Table>
  );
}
