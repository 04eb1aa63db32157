import type { RootFields } from "../client/graphql-test-server.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Differences of the fake from a run that succeeds. */
export interface FakeOptions {
  /** Workspaces that exist from the start: name to folder. */
  readonly taken?: Readonly<Record<string, string>>;
  /** How planning ends; "CHANGES" if absent. */
  readonly planning?: "CHANGES" | "NO_CHANGES" | "FAILED";
  /** Called before each approval is answered; a result is answered instead. */
  readonly onApprove?: (gate: string) => Fields | undefined;
  /** Cursors older than this event number are expired. */
  readonly expireBefore?: () => number;
  /** Actions that this caller may not take. */
  readonly forbidden?: readonly string[];
}

const at = "2026-01-01T00:00:00.000Z";
const actor = { __typename: "User", id: "user_1", name: "admin" };
const plan = {
  version: 1,
  digest: "5f2c",
  complete: true,
  additions: 6,
  changes: 0,
  destructions: 0,
  replacements: 0,
  imports: 0,
  moves: 0,
  forgets: 0,
  text: "# terraform_data.network will be created",
};

/** One workspace list and one run, in memory, with the streams of the real thing. */
export class FakeHoldpoint {
  readonly created: string[] = [];
  readonly decisions: string[] = [];
  status = "QUEUED";
  private readonly options: FakeOptions;
  private readonly events: Fields[] = [];
  private readonly lines: string[] = [];
  private wake = Promise.withResolvers<void>();

  constructor(options: FakeOptions = {}) {
    this.options = options;
  }

  /** The root fields for the test server. */
  get fields(): RootFields {
    return {
      createWorkspace: ({ input }: { input: { name: string } }) => this.createWorkspace(input.name),
      workspace: ({ by }: { by: { path?: { name: string } } }) => this.workspace(by.path?.name ?? "hello"),
      createRun: () => {
        setImmediate(() => this.plan());
        return { __typename: "CreateRunSuccess", run: this.run(), created: true };
      },
      run: () => this.run(),
      approveRun: ({ input }: { input: { gate: string; planVersion: number } }) => this.approve(input.gate),
      rejectRun: () => this.end("REJECTED", "RejectRunSuccess"),
      discardRun: () => this.end("DISCARDED", "DiscardRunSuccess"),
      runEvents: ({ after }: { after?: string | null }) => this.streamEvents(after ?? null),
      runLog: ({ after }: { after?: string | null }) => this.streamLog(after ?? null),
    };
  }

  /** Moves the run, as if the server had. */
  move(to: string): void {
    const from = this.status;
    this.status = to;
    this.events.push({ __typename: "RunStatusChanged", from, to, reason: null });
    this.notify();
  }

  log(...texts: string[]): void {
    this.lines.push(...texts);
    this.notify();
  }

  private plan(): void {
    this.move("PLANNING");
    this.log("terraform_data.network: Plan to create");
    const planning = this.options.planning ?? "CHANGES";
    if (planning === "NO_CHANGES") return this.move("FINISHED");
    this.move(planning === "FAILED" ? "FAILED" : "AWAITING_PLAN_APPROVAL");
  }

  private approve(gate: string): Fields {
    const instead = this.options.onApprove?.(gate);
    if (instead) return instead;
    this.decisions.push(`APPROVED ${gate}`);
    if (gate === "PLAN") this.move("AWAITING_APPLY_APPROVAL");
    else {
      this.move("APPLYING");
      this.log("terraform_data.network: Creation complete", "all instances answer");
      this.move("FINISHED");
    }
    return { __typename: "ApproveRunSuccess", run: this.run() };
  }

  private end(status: string, member: string): Fields {
    this.decisions.push(status);
    this.move(status);
    return { __typename: member, run: this.run() };
  }

  private createWorkspace(name: string): Fields {
    if (this.created.includes(name) || this.options.taken?.[name]) {
      return { __typename: "NameTakenError", code: "NAME_TAKEN", message: "taken" };
    }
    this.created.push(name);
    return { __typename: "CreateWorkspaceSuccess", workspace: this.workspace(name) };
  }

  private workspace(name: string): Fields {
    return {
      id: `ws_${name}`,
      name,
      source: { __typename: "DirectorySource", path: this.options.taken?.[name] ?? "/nowhere" },
      lock: null,
      currentRun: null,
      outputs: [
        { name: "url", value: "https://hello-dev.example.com", sensitive: false },
        { name: "database_url", value: null, sensitive: true },
      ],
    };
  }

  run(): Fields {
    const isNoChange = this.options.planning === "NO_CHANGES";
    const finished = this.status === "FINISHED";
    const actions = ["APPROVE_PLAN", "APPROVE_APPLY", "REJECT", "DISCARD"];
    return {
      id: "run_1",
      number: 1,
      kind: "DEPLOY",
      status: this.status,
      isTerminal: ["FINISHED", "FAILED", "REJECTED", "DISCARDED"].includes(this.status),
      version: this.events.length,
      blockers: this.status === "QUEUED" ? [{ kind: "NO_RUNNER", message: "no runner is free" }] : [],
      outcome: finished ? (isNoChange ? "NO_CHANGES" : "APPLIED") : null,
      reason: null,
      forced: false,
      warnings: [],
      plan,
      actions: actions.map((action) => {
        const allowed = !this.options.forbidden?.includes(action);
        return { action, allowed, reason: allowed ? null : "needs the role APPROVER" };
      }),
      log: { edges: this.lines.length > 0 ? [{ node: { number: this.lines.length } }] : [] },
      failure:
        this.status === "FAILED"
          ? {
              stage: "PLAN",
              code: "PLAN_FAILED",
              reason: "CONFIGURATION",
              resources: [
                { address: null, summary: "Unsupported argument" },
                { address: "terraform_data.b", summary: "Invalid function argument" },
              ],
              summary: "The configuration does not parse",
              likelyCause: null,
              evidence: ["Error: Unsupported argument", "  on main.tf line 3"],
              appliedAddresses: null,
              stateUncertain: false,
              retryable: false,
            }
          : null,
    };
  }

  private notify(): void {
    this.wake.resolve();
    this.wake = Promise.withResolvers();
  }

  private async *streamEvents(after: string | null): AsyncGenerator<Fields> {
    let position = after === null ? this.events.length : Number(after.slice(1));
    if (after === null) {
      yield { runEvents: { __typename: "RunSnapshot", cursor: `e${position}`, run: this.run() } };
    } else if (position < (this.options.expireBefore?.() ?? 0)) {
      yield { runEvents: { __typename: "CursorExpired", message: "too old" } };
      return;
    }
    for (;;) {
      const next = this.wake.promise;
      for (; position < this.events.length; position += 1) {
        const event = { ...this.events[position], cursor: `e${position + 1}`, at, version: position + 1, actor };
        yield { runEvents: { ...event, run: this.run() } };
      }
      if (this.run()["isTerminal"]) return;
      await next;
    }
  }

  private async *streamLog(after: string | null): AsyncGenerator<Fields> {
    let position = Number(after?.slice(1) ?? 0);
    for (;;) {
      const next = this.wake.promise;
      if (position < this.lines.length) {
        const lines = this.lines.slice(position).map((text, index) => ({
          number: position + index + 1,
          at,
          phase: "PLAN",
          attempt: 1,
          text,
        }));
        position = this.lines.length;
        yield { runLog: { __typename: "LogBatch", cursor: `l${position}`, lines } };
      }
      if (this.run()["isTerminal"] && position === this.lines.length) return;
      await next;
    }
  }
}
