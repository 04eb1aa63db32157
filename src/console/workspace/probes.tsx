import type { WorkspaceProbesFragment } from "../generated/graphql.ts";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

/** The probes of a workspace, each with the health of its targets; nothing where there are none. */
export function Probes({ workspace: { probes } }: { workspace: WorkspaceProbesFragment }) {
  if (probes.length === 0) return null;
  return (
    <section className="panel" aria-label="Probes">
      <h2>Probes</h2>
      <Table label="Probes" heads={["Probe", "Target", "Health"]}>
        {probes.flatMap(({ name, kind, use, target, targets }) => {
          const probe = (
            <td>
              {visible(name)} <span className="quiet">{wordsOf(kind)}</span>
            </td>
          );
          if (targets.length === 0) {
            return (
              <tr key={name}>
                {probe}
                <td>{visible(target)}</td>
                <td className="quiet">{use === "VERIFY" ? "after each apply" : "not known yet"}</td>
              </tr>
            );
          }
          return targets.map(({ number, address, status, since, reason }) => (
            <tr key={`${name} ${number}`}>
              {probe}
              <td>{visible(address ?? target)}</td>
              <td>
                {wordsOf(status)}
                {since != null && (
                  <>
                    , <Ago at={since} />
                  </>
                )}
                {reason != null && <div className="quiet">{visible(reason)}</div>}
              </td>
            </tr>
          ));
        })}
      </Table>
    </section>
  );
}
