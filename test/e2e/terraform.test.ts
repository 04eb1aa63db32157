/** What is about runs of a real engine and nothing else, on one server. */
import { afterAll } from "vitest";
import "./terraform/changes.ts";
import "./terraform/dependencies.ts";
import "./terraform/drift.ts";
import "./terraform/failures.ts";
import "./terraform/gates.ts";
import "./terraform/hello.ts";
import "./terraform/hooks.ts";
import "./terraform/kinds.ts";
import "./terraform/queue.ts";
import "./terraform/run-tokens.ts";
import "./terraform/secrets.ts";
import "./terraform/states.ts";
import "./terraform/targets.ts";
import "./terraform/tasks.ts";
import { endSharedHoldpoint } from "./terraform/shared-holdpoint.ts";

afterAll(endSharedHoldpoint);
