/** What configurations can hold and do, on one server. */
import { afterAll } from "vitest";
import { endSharedHoldpoint } from "../e2e/shared-holdpoint.ts";
import "./stories/changes.ts";
import "./stories/check-blocks.ts";
import "./stories/dependencies.ts";
import "./stories/drift.ts";
import "./stories/engine-tests.ts";
import "./stories/failures.ts";
import "./stories/hooks.ts";
import "./stories/reasons.ts";
import "./stories/run-tokens.ts";
import "./stories/scans.ts";
import "./stories/secrets.ts";
import "./stories/states.ts";

afterAll(endSharedHoldpoint);
