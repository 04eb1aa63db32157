/** Kinds of runs, and what people decide about them, on one server. */
import { afterAll } from "vitest";
import { endSharedHoldpoint } from "../e2e/shared-holdpoint.ts";
import "./stories/gates.ts";
import "./stories/hello.ts";
import "./stories/kinds.ts";
import "./stories/queue.ts";
import "./stories/targets.ts";
import "./stories/tasks.ts";

afterAll(endSharedHoldpoint);
