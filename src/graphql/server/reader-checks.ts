import { type ActorCaller, keepsRights } from "../../model/people/permission.ts";
import type { Source, StreamReader } from "./stream-source.ts";
import type { SharedStreamsDeps, Transport } from "./stream-transport.ts";

/** Checks the readers of a source before they get a page that was read at a version of rights. */
type CheckReaders<Subscriber> = (source: Source<Subscriber>, accessVersion: number) => Promise<boolean>;

interface CheckDeps<Subscriber> extends Pick<SharedStreamsDeps<Subscriber, unknown>, "authenticate"> {
  transport: Pick<Transport<Subscriber, unknown>, "credentialOf" | "refuse">;
}

/** Whether the rights of a reader were checked before a version of them. */
export function isBehind({ caller }: Pick<StreamReader<unknown>, "caller">, accessVersion: number): boolean {
  return caller.accessVersion.version < accessVersion;
}

/**
 * Creates the check of readers whose rights are older than a page, before they get anything of it. A reader who has lost a
 * right loses its connection. The check returns whether readers are left.
 */
export function createReaderChecks<Subscriber>(
  { transport, authenticate }: CheckDeps<Subscriber>,
  leave: (reader: StreamReader<Subscriber>) => void,
): CheckReaders<Subscriber> {
  type Reader = StreamReader<Subscriber>;

  function renew(source: Source<Subscriber>, reader: Reader, now: ActorCaller | null): void {
    const { operation, caller, group, subscriber } = reader;
    if (reader.hasLeft) return;
    if (now === null || !keepsRights(now, caller)) {
      leave(reader);
      transport.refuse(subscriber, now === null ? "ENDED" : "LESS_RIGHTS");
      return;
    }
    reader.caller = now;
    reader.group = operation.groups.enter(now);
    operation.groups.leave(group);
    source.groups = null;
  }

  return async (source, accessVersion) => {
    source.accessVersion = accessVersion;
    const behind = [...source.readers].filter((reader) => isBehind(reader, accessVersion));
    const asked = new Map<string, Promise<ActorCaller | null>>();
    const check = async (reader: Reader): Promise<void> => {
      const credential = transport.credentialOf(reader.subscriber);
      const asking = asked.get(credential) ?? authenticate(reader.subscriber);
      asked.set(credential, asking);
      renew(source, reader, await asking);
    };
    await Promise.all(behind.map(check));
    return !source.closed;
  };
}
