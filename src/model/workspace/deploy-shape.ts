/** The shape of what a workspace deploys, and the kind of infrastructure that it needs. */

/**
 * STATIC: files. STATIC_BUILD: files that a build makes. SERVER: one service. MULTI: several. EXISTING_DOCKER: a service
 * with a Dockerfile of its own.
 */
export const DEPLOY_SHAPES = ["STATIC", "STATIC_BUILD", "SERVER", "MULTI", "EXISTING_DOCKER"] as const;
export type DeployShape = (typeof DEPLOY_SHAPES)[number];

/** S3: a bucket of files. ECS: containers. */
export const DEPLOY_TARGETS = ["S3", "ECS"] as const;
export type DeployTarget = (typeof DEPLOY_TARGETS)[number];

/** The known facts of a deployment; `null`: nothing is known. */
export interface KnownShape {
  shape: DeployShape | null;
  /** Whether it has a command that starts a server. */
  hasStartCommand: boolean | null;
}

/** Returns the target of a shape; `null` if it is not known. What is built and has a start command is a server. */
export function deployTarget({ shape, hasStartCommand }: KnownShape): DeployTarget | null {
  switch (shape) {
    case null:
      return null;
    case "STATIC":
      return "S3";
    case "STATIC_BUILD":
      return hasStartCommand === null ? null : hasStartCommand ? "ECS" : "S3";
    case "SERVER":
    case "MULTI":
    case "EXISTING_DOCKER":
      return "ECS";
  }
}

/** A workspace with its own settings and what a hook found. */
export interface ShapeSources {
  deployShape: DeployShape | null;
  hasStartCommand: boolean | null;
  foundShape: DeployShape | null;
  foundStartCommand: boolean | null;
}

/** Returns the shape that holds: each fact that people have set, else the one that was found with the shape. */
export function knownShape({ deployShape, hasStartCommand, foundShape, foundStartCommand }: ShapeSources): KnownShape {
  return { shape: deployShape ?? foundShape, hasStartCommand: hasStartCommand ?? foundStartCommand };
}
