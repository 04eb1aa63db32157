import { expect, it } from "vitest";
import { DEPLOY_SHAPES, deployTarget, knownShape } from "../../../src/model/workspace/deploy-shape.ts";

it("has a target for each shape, with and without a start command", () => {
  const targets = DEPLOY_SHAPES.map((shape) => [
    shape,
    ...[false, true, null].map((hasStartCommand) => deployTarget({ shape, hasStartCommand })),
  ]);
  expect(targets).toEqual([
    ["STATIC", "S3", "S3", "S3"],
    ["STATIC_BUILD", "S3", "ECS", null],
    ["SERVER", "ECS", "ECS", "ECS"],
    ["MULTI", "ECS", "ECS", "ECS"],
    ["EXISTING_DOCKER", "ECS", "ECS", "ECS"],
  ]);
  expect(deployTarget({ shape: null, hasStartCommand: true })).toBeNull();
});

it("prefers what people have set over what was found, fact by fact", () => {
  const nothing = { deployShape: null, hasStartCommand: null, foundShape: null, foundStartCommand: null };
  expect(knownShape(nothing)).toEqual({ shape: null, hasStartCommand: null });
  const found = { ...nothing, foundShape: "STATIC_BUILD", foundStartCommand: true } as const;
  expect(knownShape(found)).toEqual({ shape: "STATIC_BUILD", hasStartCommand: true });
  expect(knownShape({ ...found, hasStartCommand: false })).toEqual({ shape: "STATIC_BUILD", hasStartCommand: false });
  expect(knownShape({ ...found, deployShape: "SERVER" })).toEqual({ shape: "SERVER", hasStartCommand: true });
});
