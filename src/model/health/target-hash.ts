/** Numbers that spread targets evenly, and that every prober computes alike. */
import { HEALTH_LIMITS } from "./health-limits.ts";

/** FNV-1a of 32 bits, with a last mix: names that differ in one digit are far from each other. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93);
  value = Math.imul(value ^ (value >>> 16), 0x85_eb_ca_6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2_b2_ae_35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The names that make a target unique. */
export interface TargetKey {
  workspaceId: string;
  probe: string;
  /** The element of a list of targets, from 0. */
  number: number;
}

export interface TargetPlace {
  /** From 0 to 255: a prober has shards, not single targets. */
  shard: number;
  /** When it is probed within its interval, as a share of it from 0 to 1. */
  phase: number;
  /** When its buckets begin within five minutes. All targets of a probe have the same, so that their buckets fit. */
  bucketOffsetMs: number;
}

export function placeOfTarget({ workspaceId, probe, number }: TargetKey): TargetPlace {
  const ofTarget = hash(`${workspaceId}/${probe}/${number}`);
  const seconds = HEALTH_LIMITS.bucketMs / 1000;
  return {
    shard: ofTarget % HEALTH_LIMITS.shards,
    phase: hash(`${ofTarget}`) / 2 ** 32,
    bucketOffsetMs: (hash(`${workspaceId}/${probe}`) % seconds) * 1000,
  };
}

/** Returns the first instant after `afterMs` at which a target is probed regularly. */
export function nextRegularMs(afterMs: number, intervalMs: number, phase: number): number {
  const offset = Math.floor(phase * intervalMs);
  return (Math.floor((afterMs - offset) / intervalMs) + 1) * intervalMs + offset;
}

/** Returns the beginning of the bucket that an instant is in. */
export function bucketStartMs(atMs: number, offsetMs: number): number {
  const { bucketMs } = HEALTH_LIMITS;
  return Math.floor((atMs - offsetMs) / bucketMs) * bucketMs + offsetMs;
}
