import { Link } from "@tanstack/react-router";
import { type PolicyVersionRowFragment, SetPolicySetVersionStateDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";
import { EvaluationCounts } from "./evaluation-counts.tsx";
import type { ShownSet } from "./shown-set.ts";

/** A later release may have more states, which are shown as work. */
const TONES: Readonly<Record<string, Tone>> = { ACTIVE: "good", SHADOW: "asks", DRAFT: "quiet", RETIRED: "quiet" };

interface VersionsOf {
  readonly set: ShownSet;
  readonly organization: string;
  readonly shown: string | undefined;
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** The versions of a policy set, newest first. */
export function Versions({ set, organization, shown, canWrite, onChange }: VersionsOf) {
  const versions = set.versions.edges.map(({ node }) => node);
  return (
    <section className="panel" aria-label="Versions">
      <h2>Versions</h2>
      <ListState read={{ fetching: false }} count={versions.length} empty="No version was pushed yet." />
      {versions.length > 0 && (
        <Table label="Versions" heads={["Version", "State", "Pushed", "Results", ...(canWrite ? ["Commands"] : [])]}>
          {versions.map((version) => (
            <tr key={version.id}>
              <td>
                <Link
                  to="/o/$organization/policies/$set"
                  params={{ organization, set: set.id }}
                  search={{ version: version.id }}
                  aria-current={version.id === shown ? "true" : undefined}
                >
                  v{version.number}
                </Link>
                {version.message != null && <span className="quiet"> {visible(version.message)}</span>}
              </td>
              <td>
                <Mark tone={TONES[version.state] ?? "busy"}>{wordsOf(version.state)}</Mark>
              </td>
              <td>
                <Ago at={version.createdAt} /> by {visible(version.createdBy.name)}
              </td>
              <td>
                <EvaluationCounts counts={version.evaluationCounts} />
              </td>
              {canWrite && (
                <td>
                  <VersionCommands set={set} version={version} onChange={onChange} />
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
      {set.versions.pageInfo.hasNextPage && <p className="quiet">Only the newest 50 versions are shown.</p>}
    </section>
  );
}

/** The states that a person can give to a version, and their consequences. */
const STATES = [
  {
    state: "ACTIVE",
    label: "Activate",
    text: "It judges and decides from the next plan on, in place of the active one.",
    gives: true,
  },
  { state: "SHADOW", label: "Shadow", text: "It judges plans, and decides nothing.", gives: true },
  { state: "RETIRED", label: "Retire", text: "It judges no plan any more.", gives: false },
] as const;

interface VersionOf {
  readonly set: ShownSet;
  readonly version: PolicyVersionRowFragment;
  readonly onChange: () => void;
}

function VersionCommands({ set, version, onChange }: VersionOf) {
  const offers = STATES.filter(
    ({ state }) => state !== version.state && !(state === "RETIRED" && version.state === "DRAFT"),
  );
  return (
    <Commands>
      {offers.map(({ state, label, text, gives }) => (
        <Command
          key={state}
          document={SetPolicySetVersionStateDocument}
          input={{ versionId: version.id, state }}
          label={label}
          question={{ title: `${label} v${version.number} of ${visible(set.name)}`, text, gives }}
          onDone={onChange}
        />
      ))}
    </Commands>
  );
}
