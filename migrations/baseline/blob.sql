-- Sources, plan archives and states: in pieces here, or in a bucket.

create table blob (
  id text primary key,
  kind text not null check (kind in ('SOURCE', 'ARCHIVE', 'STATE', 'DOCUMENT', 'POLICY')),
  workspace_id text references workspace,
  digest text not null,
  size bigint not null,
  created_at timestamptz(3) not null,
  store text not null default 'POSTGRES' check (store in ('POSTGRES', 'S3'))
);
create index blob_elsewhere on blob (store) where store <> 'POSTGRES';
create unique index blob_source on blob (workspace_id, digest) where kind = 'SOURCE';
create index blob_uploaded on blob (digest) where workspace_id is null;

create table blob_piece (
  blob_id text references blob on delete cascade,
  position integer,
  body bytea not null,
  primary key (blob_id, "position")
);
alter table blob_piece alter column body set storage external;

-- Their blobs belong to no workspace until a workspace uses them.
create table upload (
  id text primary key,
  blob_id text not null references blob,
  digest text not null,
  size bigint not null,
  created_by text not null references actor,
  created_at timestamptz(3) not null
);
create index upload_age on upload (created_at);
create index upload_blob on upload (blob_id);

-- Objects of a bucket that may have to be removed. An object is noted before it is put; the transaction that writes the
-- row of its blob deletes the note. A crash in between leaves the note, so a bucket never has to be listed.
create table orphaned_object (
  blob_id text primary key,
  due_at timestamptz(3) not null,
  removing_at timestamptz(3)
) with (fillfactor = 50);
create index orphaned_object_due on orphaned_object (due_at);

create function blob_left() returns trigger language plpgsql as $$
begin
  insert into orphaned_object (blob_id, due_at) values (old.id, '2000-01-01T00:00:00Z');
  return null;
end
$$;

create trigger blob_left after delete on blob for each row when (old.store <> 'POSTGRES') execute function blob_left();
