import type { AccessVersion } from "../../model/people/access-version.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { includes, intersection } from "../../model/people/permission-set.ts";
import { fingerprint, restricted, type Rights, rightsWithin, setAt } from "../../model/people/rights.ts";
import { visiblePlace } from "../../model/people/place.ts";
import type { RowAccess } from "../kit/stream-position.ts";
import type { DocumentFacts } from "./document-facts.ts";

/** The actor of executions that do not depend on the actor. A field without its mark shows no person's view. */
const ANONYMOUS = { id: "", kind: "SYSTEM", name: "anonymous" } as const;

/** A shared execution belongs to no credential. */
const SHARED = { type: "actor", credential: "TOKEN", credentialId: "" } as const;

/** Readers of one subscription who have the same rights everywhere. */
export interface ReaderGroup {
  /** Equal for equal rights. */
  readonly key: string;
  readonly rights: Rights;
  accessVersion: AccessVersion;
  readers: number;
  /** The last view that was computed. Rows of one run have one place. */
  last: { access: RowAccess; view: View | null } | null;
  /** The rights that a document which leaves the workspace can ask for; `null` before they were needed. */
  whole: Rights | null;
}

/** A caller for whom an item is executed. Views of one item with equal keys show the same. */
export interface View {
  readonly key: string;
  readonly caller: ActorCaller;
}

const fingerprints = new WeakMap<Rights, string>();

/** Returns the fingerprint of rights, which is computed once: callers of one credential share an object. */
export function fingerprintOf(rights: Rights): string {
  const known = fingerprints.get(rights) ?? fingerprint(rights);
  fingerprints.set(rights, known);
  return known;
}

/**
 * Returns the view that a group has of a row; `null` if it may not see the row. Its caller has those rights at the
 * workspace of the row that the document can ask for, and none anywhere else. A document that leaves the workspace is
 * executed with all rights of the group that it can ask for.
 */
export function viewOf(group: ReaderGroup, access: RowAccess, facts: DocumentFacts, actor: Actor): View | null {
  const { last } = group;
  if (last !== null && last.access.permission === access.permission && last.access.place === access.place) {
    return last.view;
  }
  const view = computeView(group, access, facts, actor);
  group.last = { access, view };
  return view;
}

function computeView(
  group: ReaderGroup,
  { permission, place: asked }: RowAccess,
  { permissions, atOrganization, leavesWorkspace, dependsOnActor }: DocumentFacts,
  actor: Actor,
): View | null {
  const { rights, accessVersion } = group;
  const place = visiblePlace(asked, (one) => includes(setAt(rights, one), permission));
  if (place === null) return null;
  const atPlace = setAt(rights, place);
  const caller = { ...SHARED, accessVersion, actor: dependsOnActor ? actor : ANONYMOUS };
  if (leavesWorkspace) {
    const whole = (group.whole ??= restricted(rights, permissions));
    return { key: fingerprintOf(whole), caller: { ...caller, rights: whole } };
  }
  const ofWorkspace = intersection(atPlace, permissions);
  const ofOrganization = intersection(
    intersection(setAt(rights, { ...place, projectId: null, workspaceId: null }), atOrganization),
    permissions,
  );
  const key = `${ofWorkspace.low} ${ofWorkspace.high} ${ofOrganization.low} ${ofOrganization.high}`;
  return { key, caller: { ...caller, rights: rightsWithin(place, ofWorkspace, ofOrganization) } };
}
