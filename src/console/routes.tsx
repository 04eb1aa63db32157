/** The paths of the console. The address of a page is all that it needs. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import { InboxPage } from "./inbox/inbox-page.tsx";
import { readInboxSearch } from "./inbox/inbox-search.ts";
import { loadPart } from "./parts/lazy-part.ts";
import { readPageSearch } from "./parts/page-search.ts";
import { readPolicySearch } from "./policies/policy-search.ts";
import { RunByIdPage, RunPage } from "./run/run-page.tsx";
import { readRunPageSearch } from "./run/run-page-search.ts";
import { readRunSearch } from "./runs/run-search.ts";
import { LoginPage } from "./session/login-page.tsx";
import { StartPage } from "./session/start-page.tsx";
import { Shell } from "./shell.tsx";
import { readWorkspaceSearch } from "./workspace/workspace-search.ts";

/** A page that is loaded when it is first opened. */
const part: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadPart(load), name);

const root = createRootRoute({ component: Outlet, notFoundComponent: () => <p>There is no such page.</p> });
const login = createRoute({ getParentRoute: () => root, path: "/login", component: LoginPage });
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });
const start = createRoute({ getParentRoute: () => shell, path: "/", component: StartPage });
const inbox = createRoute({
  getParentRoute: () => shell,
  path: "/inbox",
  component: InboxPage,
  validateSearch: readInboxSearch,
});
const runs = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/runs",
  component: part(() => import("./runs/runs-page.tsx"), "RunsPage"),
  validateSearch: readRunSearch,
});
const overview = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization",
  component: part(() => import("./organization/overview-page.tsx"), "OverviewPage"),
});
const workspaces = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/workspaces",
  component: part(() => import("./workspace/workspaces-page.tsx"), "WorkspacesPage"),
  validateSearch: readWorkspaceSearch,
});
const workspace = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/w/$workspace",
  component: part(() => import("./workspace/workspace-page.tsx"), "WorkspacePage"),
});
const run = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/w/$workspace/runs/$number",
  component: RunPage,
  validateSearch: readRunPageSearch,
});
const runById = createRoute({
  getParentRoute: () => shell,
  path: "/r/$id",
  component: RunByIdPage,
  validateSearch: readRunPageSearch,
});
const runners = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/runners",
  component: part(() => import("./runners/runners-page.tsx"), "RunnersPage"),
});
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/webhooks",
  component: part(() => import("./webhooks/webhooks-page.tsx"), "WebhooksPage"),
});
const webhook = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/webhooks/$webhook",
  component: part(() => import("./webhooks/webhook-page.tsx"), "WebhookPage"),
  validateSearch: readPageSearch,
});
const account = createRoute({
  getParentRoute: () => shell,
  path: "/me",
  component: part(() => import("./account/account-page.tsx"), "AccountPage"),
});
const people = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/people",
  component: part(() => import("./people/people-page.tsx"), "PeoplePage"),
});
const policies = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/policies",
  component: part(() => import("./policies/policies-page.tsx"), "PoliciesPage"),
  validateSearch: readPageSearch,
});
const policySet = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/policies/$set",
  component: part(() => import("./policies/policy-set-page.tsx"), "PolicySetPage"),
  validateSearch: readPolicySearch,
});
const rules = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/rules",
  component: part(() => import("./rules/rules-page.tsx"), "RulesPage"),
});
const changesets = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/changesets",
  component: part(() => import("./changesets/changesets-page.tsx"), "ChangesetsPage"),
  validateSearch: readPageSearch,
});
const changeset = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/changesets/$changeset",
  component: part(() => import("./changesets/changeset-page.tsx"), "ChangesetPage"),
});
const schedules = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/schedules",
  component: part(() => import("./schedules/schedules-page.tsx"), "SchedulesPage"),
  validateSearch: readPageSearch,
});
const repositories = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/repositories",
  component: part(() => import("./repositories/repositories-page.tsx"), "RepositoriesPage"),
});
const repository = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/repositories/$repository",
  component: part(() => import("./repositories/repository-page.tsx"), "RepositoryPage"),
  validateSearch: readPageSearch,
});
const pipelines = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/pipelines",
  component: part(() => import("./pipelines/pipelines-page.tsx"), "PipelinesPage"),
  validateSearch: readPageSearch,
});
const pipeline = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/pipelines/$pipeline",
  component: part(() => import("./pipelines/pipeline-page.tsx"), "PipelinePage"),
});
const inboundHooks = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/inbound-hooks",
  component: part(() => import("./inbound-hooks/inbound-hooks-page.tsx"), "InboundHooksPage"),
});
const checks = createRoute({
  getParentRoute: () => shell,
  path: "/o/$organization/checks",
  component: part(() => import("./checks/checks-page.tsx"), "ChecksPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    shell.addChildren([
      start,
      inbox,
      overview,
      runs,
      workspaces,
      workspace,
      run,
      runById,
      account,
      runners,
      webhooks,
      webhook,
      people,
      policies,
      policySet,
      rules,
      changesets,
      changeset,
      schedules,
      repositories,
      repository,
      pipelines,
      pipeline,
      inboundHooks,
      checks,
    ]),
  ]),
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
