/** Documents of plans as runners send them. */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** A plan that creates one resource. */
export const SMALL_PLAN = {
  format_version: "1.2",
  terraform_version: "1.11.4",
  resource_changes: [
    {
      address: "terraform_data.a",
      mode: "managed",
      type: "terraform_data",
      name: "a",
      change: { actions: ["create"], before: null, after: { input: "x" } },
    },
  ],
};

/** A document, compressed. */
export function packDocument(document: object = { plan: SMALL_PLAN, custom: {} }): Buffer {
  return zstdCompressSync(JSON.stringify(document));
}

export function unpackDocument(body: Uint8Array): { plan: Record<string, unknown>; custom: Record<string, unknown> } {
  return JSON.parse(zstdDecompressSync(body).toString()) as ReturnType<typeof unpackDocument>;
}

/** `infracost diff`, of one project. */
export function infracost(before: string, after: string, delta: string): object {
  const resources = (cost: string): object[] => [{ name: "aws_instance.web", monthlyCost: cost }];
  return {
    version: "0.2",
    currency: "EUR",
    projects: [
      {
        name: "infra",
        pastBreakdown: { totalMonthlyCost: before, resources: resources(before) },
        breakdown: { totalMonthlyCost: after, resources: resources(after) },
        diff: { totalMonthlyCost: delta, resources: resources(delta) },
      },
    ],
    summary: { totalUnsupportedResources: 3 },
  };
}
