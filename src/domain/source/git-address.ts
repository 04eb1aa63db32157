/** Checks where the repository of a source is reached, and pins git to the addresses that were checked. */
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { GitUrl } from "../../model/workspace/git-source.ts";
import { literalAddress, type Target, targetOf } from "../../network/address-guard.ts";
import { type Resolve, resolveGuarded, TargetRefused } from "../../network/guarded-lookup.ts";

/** A host with the addresses at which git may reach it. */
export interface PinnedTarget extends Target {
  addresses: readonly string[];
}

interface Guard {
  allowed: readonly AllowedTarget[];
  /** Whether the server reaches hosts by a proxy, which resolves their names. */
  behindProxy: boolean;
  resolve?: Resolve | undefined;
}

const FIELD = "source.git.url";
const SSH_PORT = 22;

/**
 * Returns the host of a repository with its addresses; `null` if it is on the disk, or if only a proxy knows the host.
 * Throws INVALID_INPUT if the host is unknown, or has an address that is neither public nor allowed.
 */
export async function pinTarget(url: GitUrl, { allowed, behindProxy, resolve }: Guard): Promise<PinnedTarget | null> {
  const target = targetOfGit(url);
  if (target === null) return null;
  try {
    const addresses = await resolveGuarded(target, allowed, resolve);
    return { ...target, addresses: addresses.map(({ address }) => address) };
  } catch (error) {
    if (error instanceof TargetRefused) {
      throw invalidField(
        FIELD,
        `must not lead to an internal address, unless HOLDPOINT_GIT_ALLOW names ${target.host}.`,
      );
    }
    if (behindProxy && url.protocol === "https") return null;
    throw invalidField(FIELD, `could not be fetched. The host ${target.host} has no address.`);
  }
}

function targetOfGit({ protocol, url }: GitUrl): Target | null {
  switch (protocol) {
    case "file":
      return null;
    case "https":
      return targetOf(new URL(url));
    case "ssh": {
      const { hostname, port } = new URL(url.startsWith("ssh://") ? url : `ssh://${url.slice(0, url.indexOf(":"))}`);
      return { ...targetOf(new URL(`https://${hostname}`)), port: port === "" ? SSH_PORT : Number(port) };
    }
  }
}

/** Returns the address for git, in which the host is written as it was checked. */
export function addressFor({ protocol, url }: GitUrl): string {
  if (protocol !== "https") return url;
  const { host, pathname, hostname } = new URL(url);
  return `https://${host.replace(hostname, hostname.replace(/\.$/, ""))}${pathname}`;
}

/** Returns the setting by which git connects to the checked addresses alone. */
export function pinSettings(target: PinnedTarget | null): string[] {
  if (target === null || literalAddress(target) !== null) return [];
  const addresses = target.addresses.map((address) => (address.includes(":") ? `[${address}]` : address));
  return [`http.curloptResolve=${target.host}:${target.port}:${addresses.join(",")}`];
}

/** Returns the options by which ssh connects to a checked address, and still knows the host by its name. */
export function pinOptions(target: PinnedTarget | null): string[] {
  const [address] = target?.addresses ?? [];
  if (target === null || address === undefined) return [];
  const alias = target.port === SSH_PORT ? target.host : `[${target.host}]:${target.port}`;
  return [`HostName=${address}`, `HostKeyAlias=${alias}`];
}
