import { useEffect, useState } from "react";
import { ActorsByNameDocument } from "../generated/graphql.ts";
import { client } from "../live/link.ts";
import { untilRetry } from "../live/retry.ts";
import type { NamedActor } from "./run-query.ts";

/** Finds the actors with these names in them, as far as the viewer may see them. A name that is being looked up is absent. */
export function useActors(names: readonly string[]): ReadonlyMap<string, readonly NamedActor[]> {
  const [known, setKnown] = useState<ReadonlyMap<string, readonly NamedActor[]>>(new Map());
  const missing = names.filter((name) => !known.has(name)).join("\n");
  useEffect(() => {
    if (missing === "") return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const look = async (name: string): Promise<void> => {
      for (let found: NamedActor[] | null = null; found === null && !signal.aborted; ) {
        found = await findActors(name).catch(() => null);
        if (found === null) await untilRetry(signal);
        else if (!signal.aborted) setKnown((former) => new Map([...former, [name, found ?? []]]));
      }
    };
    for (const name of missing.split("\n")) void look(name);
    return () => controller.abort();
  }, [missing]);
  return known;
}

async function findActors(text: string): Promise<NamedActor[]> {
  const { actors, search } = await client.request(ActorsByNameDocument, { text });
  const found = new Map(actors.edges.map(({ node: { actor } }) => [actor.id, actor]));
  for (const { node } of search) {
    if ("name" in node) found.set(node.id, node);
  }
  return [...found.values()];
}
