import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { RequestPolicyExceptionDocument, type RunJudgementsFragment } from "../generated/graphql.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { visible } from "../parts/visible.ts";
import { readException } from "../policies/read-exception.ts";

const ExceptionFields = lazyPart(() => import("../policies/exception-fields.tsx"), "ExceptionFields");

type Evaluation = RunJudgementsFragment["policyEvaluations"][number];

interface RequestExceptionOf {
  readonly workspace: RunJudgementsFragment["workspace"];
  readonly policySet: NonNullable<Evaluation["version"]>["policySet"] | undefined;
  readonly result: Evaluation["results"]["edges"][number]["node"];
}

/** A button that requests an exception for a violation, or why the person cannot. */
export function RequestException({ workspace, policySet, result }: RequestExceptionOf) {
  const [isRequested, setRequested] = useState(false);
  const { organization } = workspace;
  if (policySet == null) return null;
  if (!workspace.viewerPermissions.includes("POLICY_EXCEPT")) {
    return <div className="quiet">An exception is requested by those with the permission policy except.</div>;
  }
  const [address] = result.addresses;
  return (
    <div>
      <FormCommand
        document={RequestPolicyExceptionDocument}
        label="Request an exception"
        title={`Request an exception from ${visible(policySet.name)}`}
        submit="Request the exception"
        inputOf={(form) => readException(form, policySet.id)}
        onDone={() => setRequested(true)}
      >
        <ExceptionFields
          policies={[result.policy]}
          rule={result.rule}
          addressGlob={result.addresses.length === 1 && address !== undefined ? address : "*"}
          workspaces={[workspace]}
        />
      </FormCommand>
      <output>
        {isRequested && (
          <>
            {" "}
            Requested.{" "}
            <Link to="/o/$organization/policies/$set" params={{ organization: organization.slug, set: policySet.id }}>
              Another person decides
            </Link>
          </>
        )}
      </output>
    </div>
  );
}
