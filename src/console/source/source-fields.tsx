import { useState } from "react";
import { RepositoryNamesDocument, type WorkspaceSourcePartsFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ChoiceField, FileField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";

const REPOSITORY = ["repository", "A repository of a git host"] as const;
const KINDS = [
  ["git", "A git repository by its address"],
  ["directory", "A folder on the disk of the server"],
  ["upload", "An archive that you upload"],
] as const;

type Source = WorkspaceSourcePartsFragment["source"];

interface SourceFieldsOf {
  readonly organization: string;
  /** The source that is changed. Absent: a new workspace. */
  readonly source?: Source;
}

/** The fields of the source of a workspace. */
export function SourceFields({ organization, source }: SourceFieldsOf) {
  const [{ data, fetching }] = useDocument(RepositoryNamesDocument, { organization });
  const repositories = data?.organization?.repositories ?? [];
  const [chosen, choose] = useState(source === undefined ? null : kindOf(source));
  if (data === undefined && fetching) return <p className="quiet">Loading…</p>;
  const kinds = repositories.length > 0 ? [REPOSITORY, ...KINDS] : KINDS;
  const kind = chosen ?? kinds[0]?.[0] ?? "git";
  return (
    <>
      <ChoiceField name="sourceKind" label="Configuration" choices={kinds} defaultValue={kind} onChoose={choose} />
      {kind === "directory" && (
        <TextField
          name="path"
          label="Folder"
          required
          hint="The absolute path, below a source root of the server."
          defaultValue={source?.__typename === "DirectorySource" ? source.path : ""}
        />
      )}
      {kind === "upload" && (
        <FileField name="uploadId" label="Archive" accept=".tgz,.tar.gz" hint="A tar.gz of the configuration." />
      )}
      {(kind === "git" || kind === "repository") && (
        <GitFields
          key={kind}
          repositories={kind === "repository" ? repositories : null}
          source={source?.__typename === "GitSource" ? source : undefined}
        />
      )}
    </>
  );
}

function kindOf(source: Source): string {
  if (source.__typename === "DirectorySource") return "directory";
  if (source.__typename === "UploadSource") return "upload";
  return source.repository == null ? "git" : "repository";
}

interface GitFieldsOf {
  /** The repositories of git hosts. `null`: the source has an address of its own. */
  readonly repositories:
    | readonly { readonly id: string; readonly name: string; readonly defaultBranch: string | null }[]
    | null;
  readonly source: Extract<Source, { __typename: "GitSource" }> | undefined;
}

function GitFields({ repositories, source }: GitFieldsOf) {
  const known = source?.repository?.id ?? repositories?.[0]?.id ?? "";
  const [repositoryId, choose] = useState(known);
  const usual = repositories?.find(({ id }) => id === repositoryId)?.defaultBranch ?? "main";
  return (
    <>
      {repositories === null ? (
        <TextField
          name="url"
          label="Address"
          required
          hint="https://, ssh:// or git@host:path, without credentials: these are variables."
          defaultValue={source !== undefined && source.repository == null ? source.url : ""}
        />
      ) : (
        <ChoiceField
          name="repositoryId"
          label="Repository"
          choices={repositories.map(({ id, name }) => [id, visible(name)] as const)}
          defaultValue={known}
          onChoose={choose}
        />
      )}
      <TextField
        key={repositoryId}
        name="branch"
        label="Branch"
        required
        defaultValue={source !== undefined && repositoryId === known ? source.branch : usual}
      />
      <TextField name="path" label="Folder in the repository" required defaultValue={source?.folder ?? "."} />
    </>
  );
}
