import { Suspense } from "react";
import {
  UpdateWorkspaceDocument,
  type WorkspaceProbesFragment,
  WorkspaceProbesNowDocument,
} from "../generated/graphql.ts";
import { client } from "../live/link.ts";
import { Commands } from "../parts/commands.tsx";
import { DeleteEntry, EntryForm } from "../parts/entry-commands.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { probeInputOf, readProbe } from "./probe-input.ts";
import { type ProbeList, SuggestedProbes } from "./suggested-probes.tsx";

const HealthHistory = lazyPart(() => import("./health-history.tsx"), "HealthHistory");
const ProbeFields = lazyPart(() => import("./probe-fields.tsx"), "ProbeFields");

type Probe = WorkspaceProbesFragment["probes"][number];

interface ProbesOf {
  readonly workspace: WorkspaceProbesFragment & { readonly name: string };
  readonly canWrite: boolean;
  readonly allowsCommands: boolean;
  readonly onChange: () => void;
}

/** The probes of a workspace, each with the health of its targets, and the commands that set them. */
export function Probes({ workspace, canWrite, allowsCommands, onChange }: ProbesOf) {
  const { id: workspaceId, probes } = workspace;
  if (probes.length === 0 && !canWrite) return null;
  const list = canWrite ? probeList(workspace, onChange) : null;
  const fields = { workspaceId, allowsCommands };
  const watched = probes.filter(({ use }) => use !== "VERIFY").map(({ name }) => name);
  return (
    <section className="panel" aria-label="Probes">
      <h2>Probes</h2>
      {list !== null && (
        <Commands>
          <EntryForm list={list} readEntry={readProbe}>
            <ProbeFields {...fields} />
          </EntryForm>
        </Commands>
      )}
      {probes.length === 0 && <p className="quiet">Nothing finds out whether what is applied works.</p>}
      {list !== null && <SuggestedProbes suggested={workspace.suggestedProbes} list={list} />}
      {probes.length > 0 && (
        <Table label="Probes" heads={["Probe", "Target", "Health", ...(list === null ? [] : ["Commands"])]}>
          {probes.flatMap((probe) =>
            rowsOf(probe).map((row, at) => (
              <tr key={row.key}>
                <td>
                  {visible(probe.name)} <span className="quiet">{wordsOf(probe.kind)}</span>
                </td>
                <td>{row.target}</td>
                <td>{row.health}</td>
                {list !== null && (
                  <td>
                    {at === 0 && (
                      <Commands>
                        <EntryForm list={list} entry={probeInputOf(probe)} readEntry={readProbe}>
                          <ProbeFields {...fields} probe={probe} />
                        </EntryForm>
                        <DeleteEntry
                          list={list}
                          entry={probeInputOf(probe)}
                          text="It is sent no more. What it has found out is not shown any longer."
                        />
                      </Commands>
                    )}
                  </td>
                )}
              </tr>
            )),
          )}
        </Table>
      )}
      {watched.length > 0 && (
        <Suspense fallback={null}>
          <HealthHistory workspaceId={workspaceId} probes={watched} />
        </Suspense>
      )}
    </section>
  );
}

function probeList({ id, name }: ProbesOf["workspace"], onDone: () => void): ProbeList {
  return {
    document: UpdateWorkspaceDocument,
    field: "probes",
    noun: "probe",
    owner: name,
    read: async () => {
      const { workspace } = await client.request(WorkspaceProbesNowDocument, { id });
      return workspace === null ? null : { ...workspace, entries: workspace.probes.map(probeInputOf) };
    },
    inputOf: (probes, settingsDigest) => ({ workspaceId: id, probes: [...probes], settingsDigest }),
    onDone,
  };
}

interface Row {
  readonly key: string;
  readonly target: string;
  readonly health: React.ReactNode;
}

/**
 * A row for each target of a probe; one for a probe whose targets are not known. The first has the form, and the same key when the
 * targets become known.
 */
function rowsOf({ name, use, target, targets }: Probe): Row[] {
  if (targets.length === 0) {
    const health = <span className="quiet">{use === "VERIFY" ? "after each apply" : "not known yet"}</span>;
    return [{ key: name, target: visible(target), health }];
  }
  return targets.map(({ number, address, status, since, reason }, at) => ({
    key: at === 0 ? name : `${name} ${number}`,
    target: visible(address ?? target),
    health: (
      <>
        {wordsOf(status)}
        {since != null && (
          <>
            , <Ago at={since} />
          </>
        )}
        {reason != null && <div className="quiet">{visible(reason)}</div>}
      </>
    ),
  }));
}
