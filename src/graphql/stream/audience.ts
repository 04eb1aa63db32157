import { type ActorCaller, can } from "../../model/people/permission.ts";
import { visiblePlace } from "../../model/people/place.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { Loaders } from "../kit/loader.ts";
import type { RowAccess } from "../kit/stream-position.ts";

/** The callers for whom the rows of a stream are executed. */
export interface Audience {
  /** Returns the callers for whom a row is executed, one for each view of it; none if no reader may see it. */
  of: (access: RowAccess | null) => readonly ActorCaller[];
  /** Makes a caller that of the context. Nothing that was loaded before is shown. */
  enter: (caller: ActorCaller) => void;
  /** Checks the rights of the readers before they get rows that were read at this version. `false` ends the stream. */
  admit: (accessVersion: number) => Promise<boolean>;
}

function isSeenBy(caller: ActorCaller, { permission, place }: RowAccess): boolean {
  return visiblePlace(place, (one) => can(caller, permission, one)) !== null;
}

/** Returns the audience of a stream: the readers that share it, or the caller alone. */
export function audienceOf(context: GraphqlContext): Audience {
  const { streamPosition } = context;
  const enter = (caller: ActorCaller): void => {
    context.caller = caller;
    context.loaders = new Loaders(context.domain, caller);
  };
  if (streamPosition !== undefined) {
    const { audience, admit } = streamPosition;
    return { of: audience, enter, admit };
  }
  return {
    of: (access) => (access === null || isSeenBy(context.caller, access) ? [context.caller] : []),
    enter,
    async admit(accessVersion) {
      const { caller, renewCaller } = context;
      if (renewCaller === undefined || caller.accessVersion.version >= accessVersion) return true;
      const now = await renewCaller(caller);
      if (now !== null) enter(now);
      return now !== null;
    },
  };
}
