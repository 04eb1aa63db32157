/** Runs of a real engine from one end to the other; `npm run test:engine` has all else. */
import { afterAll } from "vitest";
import "./terraform/changes.ts";
import "./terraform/stops.ts";
import { endSharedHoldpoint } from "./shared-holdpoint.ts";

afterAll(endSharedHoldpoint);
