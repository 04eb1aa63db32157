import { expect, it } from "vitest";
import { checkPayload } from "../../../src/domain/check/check-payload.ts";

it("has the page of the commit and the repository without credentials", () => {
  const commitUrl = `https://gitlab.example.com/acme/infra/-/commit/${"a".repeat(40)}`;
  const source = { type: "git", url: "https://me:secret@gitlab.example.com/acme/infra.git", branch: "main" } as const;
  const payload = checkPayload({
    origin: "https://holdpoint.example.com",
    token: "token",
    result: { id: "cres_1", stage: "PRE_PLAN", level: "MANDATORY" },
    subject: {
      organization: { slug: "acme" },
      workspace: { id: "ws_1", name: "infra", source: { ...source, path: "." } },
      run: { id: "run_1", kind: "DEPLOY", message: null, commitUrl, createdAt: "2026-11-30T12:00:00.000Z" },
      createdByName: "Ann",
      source: { blobId: "blob_1", workFolder: "." },
    },
  });
  expect(payload).toMatchObject({
    vcs_branch: "main",
    vcs_commit_url: commitUrl,
    vcs_repo_url: "https://gitlab.example.com/acme/infra",
  });
  expect(JSON.stringify(payload)).not.toContain("secret");
});
