/** Sources and triggers of workspaces as the API takes them, from their forms. */
import type {
  Supersede,
  UpdateWorkspaceInput,
  WorkspaceSourceInput,
  WorkspaceTriggerInput,
} from "../generated/graphql.ts";
import { changedOf, fileOfField, isFormChanged, linesOfField, textOfField } from "../parts/field.ts";
import { NotSentError } from "../parts/sending.ts";

/** Reads a source from its form. An archive is uploaded first. */
export async function readSource(form: HTMLFormElement): Promise<WorkspaceSourceInput> {
  const path = textOfField(form, "path");
  const branch = textOfField(form, "branch");
  switch (textOfField(form, "sourceKind")) {
    case "directory":
      return { directory: { path } };
    case "upload":
      return { upload: { uploadId: await upload(fileOfField(form, "uploadId")) } };
    case "repository":
      return { git: { repositoryId: textOfField(form, "repositoryId"), branch, path } };
    default:
      return { git: { url: textOfField(form, "url"), branch, path } };
  }
}

type ChangedSource = Pick<UpdateWorkspaceInput, "source" | "gitSource">;

/** Reads what a person has changed of a source in its form. An upload is always a new one. */
export async function readChangedSource(form: HTMLFormElement): Promise<ChangedSource> {
  if (textOfField(form, "sourceKind") !== "upload" && !isFormChanged(form)) return {};
  const source = await readSource(form);
  const isElsewhere = Object.keys(changedOf(form, { sourceKind: "", url: "", repositoryId: "" })).length > 0;
  // A branch and a folder are those of a repository: another one has all of its form.
  if (source.git == null || isElsewhere) return { source };
  const { branch, path } = source.git;
  return { gitSource: changedOf(form, { branch, path }) };
}

/** Uploads an archive, and gives the id by which a source names it. */
async function upload(file: File | null): Promise<string> {
  if (file === null) throw notUploaded("is required.");
  const headers = { "content-type": "application/gzip" };
  const response = await fetch("/sources", { method: "POST", headers, body: file });
  const answer: unknown = await response.json().catch(() => null);
  if (typeof answer === "object" && answer !== null) {
    if ("uploadId" in answer && typeof answer.uploadId === "string") return answer.uploadId;
    if ("message" in answer && typeof answer.message === "string") throw notUploaded(answer.message);
  }
  throw notUploaded(`was not taken (HTTP ${response.status}).`);
}

const notUploaded = (message: string): NotSentError =>
  new NotSentError("Nothing was changed: the archive was not uploaded.", [{ path: ["uploadId"], message }]);

/** Which runs of a ref end when a newer commit of it has a run; the compiler finds one that is missing. */
export const SUPERSEDES: Readonly<Record<Supersede, string>> = {
  EVERYTHING_UNAPPROVED: "Those that no one has approved",
  UNSTARTED: "Those that did not start",
  NOTHING: "None",
};

const isSupersede = (value: string): value is Supersede => Object.hasOwn(SUPERSEDES, value);

/** Reads the triggers of a workspace from their form. */
export function readTrigger(form: HTMLFormElement): WorkspaceTriggerInput {
  const supersede = textOfField(form, "supersede");
  return {
    branch: textOfField(form, "branch") || null,
    tags: textOfField(form, "tags") || null,
    alsoReads: linesOfField(form, "alsoReads"),
    ignores: linesOfField(form, "ignores"),
    supersede: isSupersede(supersede) ? supersede : "EVERYTHING_UNAPPROVED",
  };
}
