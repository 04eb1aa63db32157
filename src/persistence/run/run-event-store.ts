import type { Selectable } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { CHECK_STATUSES } from "../../model/check/external-check.ts";
import { PHASE_STATUSES } from "../../model/run/phase.ts";
import { RUN_EVENT_TYPES, type RunEvent, type RunEventBody } from "../../model/run/run-event.ts";
import { VERIFICATION_STATUSES } from "../../model/verification/verification.ts";
import { RUN_STATUSES } from "../../model/lifecycle/run-status.ts";
import type { StatusChanged } from "../../model/run/timeline.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

type Row = Selectable<Tables["run_event"]>;

function text(data: Record<string, unknown>, key: string): string {
  const value = data[key];
  return typeof value === "string" ? value : "";
}

function textOrNull(data: Record<string, unknown>, key: string): string | null {
  const value = data[key];
  return typeof value === "string" ? value : null;
}

function toBody(row: Row): RunEventBody {
  const { data } = row;
  const type = word(RUN_EVENT_TYPES, row.type);
  switch (type) {
    case "STATUS_CHANGED":
      return {
        type,
        from: wordOrNull(RUN_STATUSES, textOrNull(data, "from")),
        to: word(RUN_STATUSES, row.to_status ?? ""),
        reason: textOrNull(data, "reason"),
      };
    case "CHANGED":
      return { type, fields: Array.isArray(data["fields"]) ? data["fields"].map(String) : [] };
    case "PHASE_CHANGED":
      return { type, phaseId: text(data, "phaseId"), to: word(PHASE_STATUSES, text(data, "to")) };
    case "PLAN_READY":
      return { type, planId: text(data, "planId") };
    case "APPROVAL_RECORDED":
      return { type, approvalId: text(data, "approvalId") };
    case "CHECK_CHANGED":
      return { type, resultId: text(data, "resultId"), to: word(CHECK_STATUSES, text(data, "to")) };
    case "POLICY_EVALUATED":
      return { type, evaluationId: text(data, "evaluationId") };
    case "VERIFICATION_CHANGED":
      return {
        type,
        verificationId: text(data, "verificationId"),
        to: word(VERIFICATION_STATUSES, text(data, "to")),
      };
  }
}

export function toRunEvent(row: Row): RunEvent {
  return { runId: row.run_id, version: row.version, at: row.at, actorId: row.actor_id, ...toBody(row) };
}

/** Oldest first; positions are versions. */
export async function listRunEvents(reader: Reader, runId: string, page: PageRequest<number>): Promise<Page<RunEvent>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("run_event")
    .selectAll()
    .where("run_id", "=", runId)
    .$if(after !== null, (q) => q.where("version", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("version", "<", before ?? 0))
    .orderBy("version", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toRunEvent));
}

/** Every change of the status of each run, oldest first. */
export async function listStatusChanges(reader: Reader, runIds: readonly string[]): Promise<StatusChanged[][]> {
  const rows = await reader.sql
    .selectFrom("run_event")
    .selectAll()
    .where("run_id", "in", runIds)
    .where("type", "=", "STATUS_CHANGED")
    .orderBy("version")
    .execute();
  const changes = rows.map(toRunEvent).filter((event) => event.type === "STATUS_CHANGED");
  return grouped(runIds, changes, (event) => event.runId);
}
