/** The questions of all walks, by the server that they are asked of. */
import type { Scene } from "../domain/scene.ts";
import type { Probe, WalkScene } from "../access/walk-scene.ts";

export interface Stages extends AsyncDisposable {
  /** Questions about one server. Those of one stage do not change what the others are about. */
  readonly all: readonly (readonly Probe[])[];
}

/** Opens a server for each stage. The sources are loaded only now: by then the hook that marks their checks is there. */
export async function openStages(): Promise<Stages> {
  const stack = new AsyncDisposableStack();
  const { openScene } = await import("../domain/scene.ts");
  const { openWalkScene } = await import("../access/walk-scene.ts");
  return {
    all: [
      await queries(stack.use(await openScene())),
      await fields(stack.use(await openWalkScene())),
      await commands(stack.use(await openWalkScene())),
      await programs(stack),
    ],
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function queries(scene: Scene): Promise<Probe[]> {
  const { queryProbes } = await import("../access/query-probes.ts");
  return queryProbes(scene);
}

async function fields(walk: WalkScene): Promise<Probe[]> {
  const [{ createWorld, readPlaces }, { createPrincipals }, { fieldProbes, peopleProbes }, { schema }] =
    await Promise.all([
      import("../access/world.ts"),
      import("../access/principals.ts"),
      import("../access/field-probes.ts"),
      import("../../src/graphql/server/schema.ts"),
    ]);
  const made = await createWorld(walk);
  // Without those of single permissions: the queries that are asked directly notice what these would.
  const principals = await createPrincipals(walk, made, []);
  const world = { ...made, ...(await readPlaces(walk)) };
  const { probes } = await fieldProbes(schema, walk, world, principals);
  return [...probes, ...peopleProbes(world, principals)];
}

async function commands(walk: WalkScene): Promise<Probe[]> {
  const [
    { changesetProbes },
    { commandProbes },
    { givingProbes },
    { inboundProbes },
    { namingProbes },
    { nowhereProbes },
    { orderProbes },
    { policyProbes },
    { promotionProbes },
    { routeProbes },
    { streamProbes },
  ] = await Promise.all([
    import("../access/changeset-probes.ts"),
    import("../access/command-probes.ts"),
    import("../access/giving-probes.ts"),
    import("../access/inbound-probes.ts"),
    import("../access/naming-probes.ts"),
    import("../access/nowhere-probes.ts"),
    import("../access/order-probes.ts"),
    import("../access/policy-probes.ts"),
    import("../access/promotion-probes.ts"),
    import("../access/route-probes.ts"),
    import("../access/stream-probes.ts"),
  ]);
  const { probes } = await commandProbes(walk);
  return [
    ...probes,
    ...givingProbes(walk),
    ...orderProbes(walk),
    ...changesetProbes(walk),
    ...policyProbes(walk),
    ...promotionProbes(walk),
    ...inboundProbes(walk),
    ...namingProbes(walk),
    ...(await routeProbes(walk)),
    ...(await nowhereProbes(walk)),
    ...(await streamProbes(walk)),
  ];
}

async function programs(stack: AsyncDisposableStack): Promise<Probe[]> {
  const [{ openSignInScene }, { openScene }, { startTokenIssuer }, { programProbes }, { exchangeProbes }] =
    await Promise.all([
      import("../support/sign-in.ts"),
      import("../domain/scene.ts"),
      import("../support/token-issuer.ts"),
      import("../access/program-probes.ts"),
      import("../access/exchange-probes.ts"),
    ]);
  const { server } = stack.use(await openScene());
  const issuer = stack.use(await startTokenIssuer(server.deps.clock));
  return [...(await programProbes(stack.use(await openSignInScene()))), ...(await exchangeProbes(server, issuer))];
}
