-- The results of changes of refs.

-- `decided_by`: the server that decides it until `decide_at`. `superseded_by`: the newer change of the ref that was decided in its place.
alter table ref_change add column changeset_id text references changeset;
create index ref_change_of_changeset on ref_change (changeset_id) where changeset_id is not null;
alter table ref_change add column decided_by text;
alter table ref_change add column superseded_by text references ref_change;
create index ref_change_without_runs on ref_change (found_at) where changeset_id is null;
create index ref_change_superseded on ref_change (superseded_by) where superseded_by is not null;

-- By workspace. A change that does not concern a workspace, or not its inputs, has no row.
create table trigger_decision (
  ref_change_id text references ref_change,
  workspace_id text references workspace,
  outcome text not null check (outcome in ('RUN_CREATED', 'SKIPPED', 'WAITING_FOR_OK')),
  reason text not null,
  message text not null,
  -- Of the inputs at the new commit.
  inputs_digest text,
  -- The paths that differ from what was compared.
  changed text[] not null default '{}',
  at timestamptz(3) not null,
  primary key (ref_change_id, workspace_id)
);
create index trigger_decision_of_workspace on trigger_decision (workspace_id, at desc);

-- The run of a newer commit for which this one was ended.
alter table run add column superseded_by text references run;
create index run_pushed on run (workspace_id, id desc) where trigger = 'PUSH';
create index run_superseding on run (superseded_by) where superseded_by is not null;

-- What decides, beside a commit, which files of its repository count for a workspace.
create function workspace_basis(w workspace) returns text language sql stable as $$
  select md5(concat_ws('|', w.source, w.trigger,
    (select string_agg(path, '|' order by path) from reported_folder f where f.workspace_id = w.id)))
$$;

-- What a workspace reads at the newest commit of the branch that it tracks, by its settings of then. `digest`: null if
-- its folder is not there. `since`: when it became this.
create table workspace_head (
  workspace_id text primary key references workspace,
  "commit" text not null,
  basis text not null,
  digest text,
  since timestamptz(3) not null
) with (fillfactor = 70);

-- Until when a server reads the heads of a repository, or they are not read again.
alter table repository add column heads_until timestamptz(3);
