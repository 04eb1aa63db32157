-- What the engine reads of a repository for a workspace.

-- Equal digests have equal files. `folders` are read as configuration, `paths` are further files and folders.
create table source_inputs (
  workspace_id text references workspace,
  digest text,
  commit text not null,
  folders text[] not null,
  paths text[] not null,
  unresolved text[] not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, digest)
);

-- Folders that an engine read although the configuration does not name them in a way that can be followed.
create table reported_folder (
  workspace_id text references workspace,
  path text,
  run_id text not null,
  reported_at timestamptz(3) not null,
  primary key (workspace_id, path)
);

-- A cache: the modules and paths in files of configuration, by their oids. `mirror`: the repository with its credential.
create table blob_modules (
  mirror text,
  oid text,
  scanner smallint not null,
  scan jsonb not null,
  scanned_at timestamptz(3) not null,
  primary key (mirror, oid)
);
create index blob_modules_age on blob_modules (scanned_at);
