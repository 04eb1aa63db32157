import {
  CreateExternalCheckDocument,
  type ExternalCheckRowFragment,
  ExternalChecksDocument,
} from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Commands } from "../parts/commands.tsx";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { durationOf } from "../parts/time.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { selectorOf } from "../policies/selector.ts";
import { CheckCommands } from "./check-commands.tsx";
import { readCheck } from "./check-input.ts";

const CheckFields = lazyPart(() => import("./check-fields.tsx"), "CheckFields");

/** The services that judge the runs of an organization. */
export function ChecksPage() {
  return (
    <OrganizationPage title="Checks">
      {({ id, slug }) => <ChecksView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function ChecksView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const [read, onChange] = useDocument(ExternalChecksDocument, { organization });
  useTick(onChange);
  const { externalChecks: checks = [], viewerPermissions = [] } = read.data?.organization ?? {};
  const canWrite = viewerPermissions.includes("CHECK_WRITE");
  return (
    <>
      {canWrite && (
        <Commands>
          <FormCommand
            document={CreateExternalCheckDocument}
            label="New external check"
            title="New external check"
            submit="Create the external check"
            inputOf={(form) => ({ organizationId, ...readCheck(form) })}
            onDone={onChange}
          >
            <p>The service is sent a test first, which it must answer.</p>
            <CheckFields organization={organization} />
          </FormCommand>
        </Commands>
      )}
      <div className="panel">
        <ListState read={read} count={checks.length} empty="No service judges the runs of this organization." />
        {checks.length > 0 && (
          <Table
            label="External checks"
            heads={["External check", "It is asked", "If it fails", "Of", ...(canWrite ? ["Commands"] : [])]}
          >
            {checks.map((check) => (
              <tr key={check.id}>
                <td>
                  <CheckName check={check} />
                </td>
                <td>
                  {check.stages.map(wordsOf).join(", ")}
                  <div className="quiet">for at most {durationOf(check.totalSeconds)}</div>
                </td>
                <td>
                  {wordsOf(check.level)}
                  <div className="quiet">without an answer: {wordsOf(check.onError)}</div>
                </td>
                <td>{selectorOf(check)}</td>
                {canWrite && (
                  <td>
                    <CheckCommands check={check} organization={organization} onChange={onChange} />
                  </td>
                )}
              </tr>
            ))}
          </Table>
        )}
      </div>
    </>
  );
}

function CheckName({ check: { name, url, enabled, signed, via } }: { check: ExternalCheckRowFragment }) {
  return (
    <>
      <strong>{visible(name)}</strong> {!enabled && <Mark tone="quiet">switched off</Mark>}
      {url != null && <div className="quiet">{visible(url)}</div>}
      <div className="quiet">
        {signed ? "signed" : "not signed"}
        {via != null && `, sent by runners of ${visible(via.name)}`}
      </div>
    </>
  );
}
