/** A server beside its model: each step is done to both, and both must say and look the same. */
import { CompiledQuery } from "kysely";
import { expect } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { offerFreeCapacity } from "../../src/domain/lifecycle/offer-capacity.ts";
import { expireLocks } from "../../src/domain/workspace/expire-locks.ts";
import type { Decision, RunCommand } from "../../src/model/lifecycle/run-machine.ts";
import { isTerminal, STATUS_TRAITS } from "../../src/model/lifecycle/run-status.ts";
import { type Data, createApi } from "./api.ts";
import { claim, FakeJob, type MessageBody, type ProtocolAnswer } from "./fake-runner.ts";
import { type InProcess, startInProcess } from "./in-process.ts";
import { bodyOf, commandOf, nextMessage, planOf } from "./lifecycle-messages.ts";
import * as model from "./lifecycle-model.ts";
import { expectSame, SNAPSHOT } from "./lifecycle-snapshot.ts";
import type { Scenario, Step } from "./lifecycle-steps.ts";
import { findViolations } from "./run-invariants.ts";

type StepOf<Do extends Step["do"]> = Step extends infer One
  ? One extends { do: infer Did }
    ? Extract<Did, Do> extends never
      ? never
      : One
    : never
  : never;

interface Runner {
  fake: FakeJob;
  job: model.ModelJob;
  last: { body: MessageBody; sequence: number } | null;
}

export class World implements AsyncDisposable {
  readonly #root: InProcess;
  #server: InProcess;
  readonly #model: model.Model;
  readonly #runners: Runner[] = [];
  /** What came of runs that have ended: it must stay. */
  readonly #ended = new Map<string, number>();

  private constructor(root: InProcess, server: InProcess, limit: number) {
    this.#root = root;
    this.#server = server;
    this.#model = { nowMs: root.deps.clock().getTime(), limit, workspaces: [] };
  }

  static async open({ limit, workspaces }: Pick<Scenario, "limit" | "workspaces">): Promise<World> {
    const root = await startInProcess({ standing: true });
    const world = new World(root, await root.second(), limit);
    const path = await root.makeSource("source", { "main.tf": "" });
    await world.#rows("update organization set concurrency_limit = $1", limit);
    for (const [index, settings] of workspaces.entries()) {
      const { planApproval, autoApply, lockScope, interruptApply } = settings;
      const input = { name: `w${index}`, source: { directory: { path } }, planApproval, autoApply };
      const id = (await world.#send("createWorkspace", input, "workspace { id }")).workspace.id;
      await world.#rows(
        "update workspace set lock_scope = $2, interrupt_apply = $3, tasks_allowed = true where id = $1",
        id,
        lockScope,
        interruptApply,
      );
      world.#model.workspaces.push({
        ...settings,
        id,
        paused: false,
        lock: null,
        serial: 0,
        stateLock: null,
        runs: [],
      });
    }
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await this.#root[Symbol.asyncDispose]();
  }

  /** Does one thing to both, and compares. */
  async step(step: Step): Promise<void> {
    switch (step.do) {
      case "goOn":
        return this.#goOn(step);
      case "create":
        return this.#create(step);
      case "approve":
      case "reject":
      case "discard":
      case "replan":
        return this.#decide(step, this.#run(step.run));
      case "withdraw":
        return this.#withdraw(step);
      case "cancel":
        return this.#cancel(step);
      case "retry":
        return this.#retry(step);
      case "lock":
      case "unlock":
      case "pause":
      case "setVariable":
        return this.#change(step);
      case "limit":
        return this.#limit(step);
      case "claim":
        return this.#claim();
      case "report":
        return this.#report(step, this.#runner(step.job));
      case "repeat":
        return this.#repeat(step);
      case "writeState":
        return this.#writeState(this.#runner(step.job), step.keepLock);
      case "beat":
        return this.#beat(step.job);
      case "advance":
        return this.#advance(step);
      case "restart":
        return this.#restart();
    }
  }

  #run(choice: number): model.ModelRun | undefined {
    const runs = model.runsOf(this.#model);
    const live = runs.filter(({ status }) => !isTerminal(status));
    return pick(choice % 5 > 0 && live.length > 0 ? live : runs, choice);
  }

  #runner(choice: number): Runner | undefined {
    const live = this.#runners.filter(({ job }) => job.live);
    return pick(choice % 7 > 0 && live.length > 0 ? live : this.#runners, choice);
  }

  #workspace(choice: number): model.ModelWorkspace {
    const workspace = pick(this.#model.workspaces, choice);
    if (workspace === undefined) throw new Error("There is no workspace.");
    return workspace;
  }

  /** Mostly the oldest run, so that runs come far. */
  async #goOn({ run: choice, changes }: StepOf<"goOn">): Promise<void> {
    const live = model.runsOf(this.#model).filter(({ status }) => status !== "QUEUED" && !isTerminal(status));
    const run = live[choice % 3 > 0 ? 0 : choice % Math.max(1, live.length)];
    if (run === undefined) return;
    if (STATUS_TRAITS[run.status].claimable) return this.#claim();
    if (STATUS_TRAITS[run.status].gate) return this.#decide({ do: "approve", wrong: null }, run);
    const runner = this.#runners.find(({ job }) => job === run.job);
    if (runner === undefined) return;
    const message = nextMessage(runner.job);
    if (message === "applied" && choice % 4 > 0) await this.#writeState(runner, choice % 8 === 1);
    await this.#report({ do: "report", job: 0, message, changes, uncertain: false }, runner);
  }

  async #create({ workspace: choice, kind }: StepOf<"create">): Promise<void> {
    const workspace = this.#workspace(choice);
    const { run } = await this.#send(
      "createRun",
      { workspaceId: workspace.id, kind, ...(kind === "TASK" && { command: "true" }) },
      "run { id }",
    );
    model.addRun(this.#model, workspace, run.id, kind);
  }

  async #decide(
    step: Omit<StepOf<"approve"> | StepOf<"reject" | "discard" | "replan">, "run">,
    run: model.ModelRun | undefined,
  ): Promise<void> {
    if (run === undefined) return;
    const planVersion = (run.plan?.version ?? 0) + (step.wrong === "plan" ? 1 : 0);
    const atApply = run.status === "AWAITING_APPLY_APPROVAL";
    const gate = atApply === (step.wrong === "gate") ? "PLAN" : "APPLY";
    const command: RunCommand =
      step.do === "approve"
        ? { type: gate === "PLAN" ? "approvePlan" : "approveApply", planVersion, quorumReached: true }
        : { type: step.do, planVersion };
    const decision = model.ask(this.#model, run, command);
    const input = { runId: run.id, planVersion, ...(step.do === "approve" && { gate }) };
    await this.#command(`${step.do}Run`, input, decision);
    if (!decision.accepted) return;
    const set = {
      approve: { approved: [...run.approved, gate] },
      replan: { attempt: 0, approved: [] },
      reject: {},
      discard: {},
    } satisfies Record<typeof step.do, Partial<model.ModelRun>>;
    model.take(this.#model, run, decision, set[step.do]);
  }

  async #withdraw({ run: choice, gate }: StepOf<"withdraw">): Promise<void> {
    const run = this.#run(choice);
    if (run === undefined) return;
    const decision = model.withdraw(this.#model, run, gate);
    await this.#command("withdrawApproval", { runId: run.id, gate }, decision);
    const approved = run.approved.filter((each) => each !== gate);
    if (decision.accepted) model.take(this.#model, run, decision, { approved });
  }

  async #cancel({ run: choice, force }: StepOf<"cancel">): Promise<void> {
    const run = this.#run(choice);
    if (run === undefined) return;
    const decision = model.ask(this.#model, run, { type: "cancel", force, atMs: this.#model.nowMs });
    await this.#command("cancelRun", { runId: run.id, force }, decision);
    if (!decision.accepted) return;
    if (decision.name === "requestStop") {
      run.stopRequestedAtMs ??= this.#model.nowMs;
      return;
    }
    if (decision.name === "forceStop") model.endJob(run, run.status === "APPLYING" || run.status === "PERFORMING");
    model.take(this.#model, run, decision);
  }

  async #retry({ run: choice }: StepOf<"retry">): Promise<void> {
    const run = this.#run(choice);
    if (run === undefined) return;
    const answer = await this.#send("retryRun", { runId: run.id }, "run { id }");
    if (isTerminal(run.status)) model.addRun(this.#model, run.workspace, answer.run.id, run.kind);
    else expect(answer.code).toBe("RUN_STATE_CONFLICT");
  }

  async #change(step: StepOf<"lock" | "unlock" | "pause" | "setVariable">): Promise<void> {
    const workspace = this.#workspace(step.workspace);
    const workspaceId = workspace.id;
    const interrupted = workspace.lock?.reason === "APPLY_INTERRUPTED";
    if (step.do === "pause") {
      expect((await this.#send("updateWorkspace", { workspaceId, paused: step.paused })).code).toBeUndefined();
      workspace.paused = step.paused;
    } else if (step.do === "setVariable") {
      expect((await this.#send("setVariable", { workspaceId, key: "a", value: "b" })).code).toBeUndefined();
    } else if (step.do === "lock") {
      const expiresAtMs = step.forMs === null ? null : this.#model.nowMs + step.forMs;
      const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs).toISOString();
      const { code } = await this.#send("lockWorkspace", { workspaceId, expiresAt });
      expect(code).toBe(interrupted ? "WORKSPACE_LOCKED" : undefined);
      if (!interrupted) workspace.lock = { reason: "MANUAL", expiresAtMs };
    } else {
      const { code } = await this.#send("unlockWorkspace", { workspaceId, force: step.force });
      expect(code).toBe(interrupted && !step.force ? "WORKSPACE_LOCKED" : undefined);
      if (interrupted && step.force && workspace.stateLock?.live !== true) workspace.stateLock = null;
      if (!interrupted || step.force) workspace.lock = null;
    }
    model.settle(this.#model, workspace);
  }

  async #limit({ limit }: StepOf<"limit">): Promise<void> {
    const [{ id }] = await this.#rows("select id from organization");
    await this.#send("updateOrganization", { organizationId: id, concurrencyLimit: limit });
    this.#model.limit = limit;
  }

  async #claim(): Promise<void> {
    const rows = model.dispatched(this.#model);
    const places = this.#model.limit - model.liveJobs(this.#model).length;
    const fake = await claim(this.#server.url, this.#server.runnerToken);
    const best = places > 0 ? Math.min(...rows.map((row) => row.class)) : -1;
    const wanted = rows.filter((row) => row.class === best).map(({ run }) => run);
    expect(wanted.map(({ id }) => id)).toEqual(fake === null ? [] : expect.arrayContaining([fake.job.run.id]));
    const run = wanted.find(({ id }) => id === fake?.job.run.id);
    if (fake === null || run === undefined) return;
    const decision = model.ask(this.#model, run, { type: "claim" });
    if (!decision.accepted) throw new Error(decision.reason);
    model.take(this.#model, run, decision, { attempt: run.attempt + 1 });
    this.#hire(fake, run);
  }

  #hire(fake: FakeJob, run: model.ModelRun): void {
    const job = model.startJob(this.#model, run, fake.job.id);
    expect(fake.job).toMatchObject({ leg: job.leg, stateSerial: job.stateSerial });
    expect(fake.job.plan?.version).toBe(job.leg === "APPLY" || job.leg === "DESTROY" ? run.plan?.version : undefined);
    this.#runners.push({ fake, job, last: null });
  }

  async #report(step: StepOf<"report">, runner: Runner | undefined): Promise<void> {
    if (runner === undefined) return;
    const { fake, job } = runner;
    const { run } = job;
    const message = step.message === "next" ? nextMessage(job) : step.message;
    const body = bodyOf(message, step, job);
    const plans = message === "planned" && job.live && run.status === "PLANNING";
    if (plans) expect((await fake.request("PUT", "archive", Buffer.from("archive"))).status).toBe(204);
    const answer = await fake.message(body);
    if (answer.status !== 200) fake.sequence--;
    else runner.last = { body, sequence: fake.sequence };
    if (job.live) this.#heard(runner, body, answer);
    else expect(answer.status).toBe(410);
  }

  /** What the model makes of a message of a live job. */
  #heard({ job }: Runner, body: MessageBody, answer: ProtocolAnswer): void {
    const { run } = job;
    const first = job.messageCount === 0;
    // Its run has been APPLYING since the plan was reported.
    if (body.type === "prepared" && run.status === "APPLYING" && first) {
      expect(answer).toMatchObject({ status: 200, body: { goOn: true } });
      job.messageCount++;
      return;
    }
    const plan = body.type === "planned" && run.status === "PLANNING" ? planOf(body.plan, run) : null;
    const command = commandOf(body, run, plan);
    const decision = command === null ? null : model.ask(this.#model, run, command);
    expect(answer.status === 200, JSON.stringify([run.status, run.leg, body.type, answer])).toBe(
      decision?.accepted === true,
    );
    if (command === null || decision === null || !decision.accepted || decision.change === null) return;
    job.messageCount++;
    const { status } = decision.change;
    const applies = command.type === "planned" && status === "APPLYING";
    const goOn = STATUS_TRAITS[status].runnerBusy && !applies;
    expect(answer.body.goOn).toBe(goOn);
    if (!goOn) model.endJob(run, body.type === "failed" && body.failure.stateUncertain === true);
    // What an UNLOCK is for is done with this very message.
    if (run.kind === "UNLOCK" && body.type === "performed") {
      run.workspace.stateLock = null;
      if (run.workspace.lock?.reason === "APPLY_INTERRUPTED") run.workspace.lock = null;
    }
    const back = body.type === "handedBack" && command.type === "leaseLost" ? { attempt: run.attempt - 1 } : {};
    const planned = plan !== null && command.type === "planned" ? { plan } : {};
    model.take(this.#model, run, decision, { ...back, ...planned, ...(applies && { attempt: 1 }) });
    expect(answer.body.next !== undefined).toBe(applies);
    if (applies) this.#hire(new FakeJob(this.#server.url, answer.body.next), run);
  }

  async #repeat({ job: choice }: StepOf<"repeat">): Promise<void> {
    const runner = this.#runner(choice);
    if (runner === undefined || runner.last === null) return;
    const { body, sequence } = runner.last;
    const answer = await runner.fake.message(body, sequence);
    expect(answer).toMatchObject({ status: 200, body: { goOn: runner.job.live } });
  }

  async #writeState(runner: Runner | undefined, keepLock: boolean): Promise<void> {
    if (runner === undefined || (runner.job.leg !== "APPLY" && runner.job.leg !== "DESTROY")) return;
    const { job, fake } = runner;
    const { workspace } = job.run;
    const begun = job.run.status === "APPLYING";
    const free = workspace.stateLock === null || workspace.stateLock === job;
    const locked = await fake.lockState(job.id);
    expect(locked.status).toBe(!job.live ? 410 : free ? 200 : 423);
    const state = { version: 4, serial: workspace.serial + 1, lineage: "lineage", outputs: {} };
    const late = job.live ? null : model.recoverState(job, state.serial) ? 202 : 410;
    expect((await fake.writeState(job.id, state)).status).toBe(late ?? (!begun ? 409 : free ? 200 : 423));
    if (!job.live || !free) return;
    workspace.stateLock = job;
    if (begun) model.moveState(this.#model, workspace);
    if (keepLock) return;
    await fake.unlockState(job.id);
    workspace.stateLock = null;
  }

  async #beat(choice: number): Promise<void> {
    const runner = this.#runner(choice);
    if (runner === undefined) return;
    const { job, fake } = runner;
    const answer = await fake.heartbeat();
    expect(answer.status).toBe(job.live ? 200 : 410);
    if (!job.live) return;
    expect(answer.body.cancelRequested).toBe(job.run.stopRequestedAtMs !== null);
    job.expiresAtMs = this.#model.nowMs + fake.job.leaseMs;
  }

  async #advance({ ms, beats }: StepOf<"advance">): Promise<void> {
    this.#server.advance(ms);
    this.#model.nowMs += ms;
    for (const choice of beats) await this.#beat(choice);
    const { deps } = this.#server;
    await loseExpiredLeases(deps);
    await expireLocks(deps);
    await offerFreeCapacity(deps);
    model.passTime(this.#model);
  }

  async #restart(): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    this.#server = await this.#root.second();
    for (const runner of this.#runners) runner.fake.url = this.#server.url;
  }

  /** A command of a person: refused by the one where it is refused by the other. */
  async #command(name: string, input: object, decision: Decision): Promise<void> {
    const { code } = await this.#send(name, input);
    expect(code).toBe(decision.accepted ? undefined : decision.code);
  }

  async #send(name: string, input: object, success = ""): Promise<Data> {
    const type = name.charAt(0).toUpperCase() + name.slice(1);
    const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
      __typename ... on ${type}Success { __typename ${success} } ... on UserError { code message } } }`;
    const { data } = await createApi(this.#server.url, this.#root.api.token).send(query, { input });
    if (data?.[name] === undefined) throw new Error(`${name}: ${this.#server.reported.map(String).join("; ")}`);
    return data[name];
  }

  async #rows(text: string, ...values: unknown[]): Promise<Data> {
    return (await this.#server.deps.database.sql.executeQuery<Data>(CompiledQuery.raw(text, values))).rows;
  }

  /** The whole of the database against the whole of the model. */
  async compare(): Promise<void> {
    const [found] = await this.#rows(SNAPSHOT);
    expectSame(found, this.#model);
    for (const { id, place, version } of found.runs) {
      expect(this.#ended.get(id) ?? version, "nothing happens to a run that has ended").toBe(version);
      if (isTerminal(place.split("/")[0])) this.#ended.set(id, version);
    }
  }

  /** What must be true of any database, and that whoever waits knows why. */
  async finish(): Promise<void> {
    expect(await findViolations((text) => this.#rows(text))).toEqual([]);
    expect(this.#server.reported).toEqual([]);
    const waiting = new Map(model.waiting(this.#model).map((run) => [run.id, run]));
    const query = "{ runs(first: 100) { edges { node { id status blockers { kind } } } } }";
    const { runs } = await createApi(this.#server.url, this.#root.api.token).ask(query);
    const unexplained = runs.edges.flatMap(({ node }: Data) =>
      waiting.has(node.id) && node.blockers.length === 0 ? [node] : [],
    );
    expect(unexplained).toEqual([]);
  }
}

function pick<T>(list: readonly T[], choice: number): T | undefined {
  return list[choice % Math.max(1, list.length)];
}
