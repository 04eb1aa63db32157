import type { JobVariable } from "../../ingestion/wire.ts";

/** What the engine may see of the environment that Holdpoint was started with. */
const INHERITABLE =
  /^(?:PATH|LANG|LC_[A-Z]+|TZ|GOGC|GOMEMLIMIT|SSL_CERT_FILE|SSL_CERT_DIR|(?:HTTP|HTTPS|NO|ALL)_PROXY|(?:http|https|no|all)_proxy|TF_[A-Za-z0-9_-]+)$/;

/**
 * Not inherited all the same: settings of a person's own terraform (its CLI configuration, arguments, workspace) that
 * would change what a run does without standing in the run.
 */
const NOT_INHERITED = /^(?:TF_CLI_CONFIG_FILE|TF_CLI_ARGS.*|TF_LOG.*)$/;

/** The runner's own; a workspace cannot set them, because the state backend or the work folder would break. */
const RESERVED =
  /^(?:HOME|TMPDIR|TF_DATA_DIR|TF_INPUT|TF_IN_AUTOMATION|TF_WORKSPACE|TF_PLUGIN_CACHE_DIR|CHECKPOINT_DISABLE|TF_HTTP_.*)$/;

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Whether a variable of the server's environment belongs to the allow-list for the engine. */
function isInheritable(name: string): boolean {
  return INHERITABLE.test(name) && !NOT_INHERITED.test(name) && !RESERVED.test(name);
}

/** The part of an environment that the engine may see. */
export function inheritable(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined && isInheritable(entry[0]);
  });
  return Object.fromEntries(entries);
}

export interface EngineFolders {
  home: string;
  tmp: string;
  /** null: each job downloads its providers. */
  pluginCache: string | null;
}

/** Names of the workspace's environment variables that the engine does not get. */
export function ignoredVariables(variables: readonly JobVariable[]): string[] {
  return variables
    .filter((variable) => variable.category === "ENVIRONMENT" && !isUsable(variable))
    .map(({ key }) => key);
}

function isUsable({ key, value }: JobVariable): boolean {
  return NAME.test(key) && !RESERVED.test(key) && !value.includes("\0");
}

/** What the runner adds by itself. */
export interface OwnEnvironment {
  /** See `collectorSettings`; whoever sets one of the two by themselves is not interfered with. */
  collector: Readonly<Record<string, string>>;
  backend: Readonly<Record<string, string>>;
}

/** The environment of one engine process. */
export function engineEnvironment(
  inherited: Readonly<Record<string, string>>,
  variables: readonly JobVariable[],
  folders: EngineFolders,
  { collector, backend }: OwnEnvironment,
): Record<string, string> {
  const environment = inheritable(inherited);
  for (const variable of variables) {
    if (variable.category === "ENVIRONMENT" && isUsable(variable)) environment[variable.key] = variable.value;
  }
  if (!("GOGC" in environment || "GOMEMLIMIT" in environment)) Object.assign(environment, collector);
  Object.assign(environment, {
    HOME: folders.home,
    TMPDIR: folders.tmp,
    TF_IN_AUTOMATION: "1",
    TF_INPUT: "0",
    CHECKPOINT_DISABLE: "1",
    // Relative, as the engine's own default: the manifest of modules keeps the path, and travels to the apply.
    TF_DATA_DIR: ".terraform",
    ...(folders.pluginCache === null ? {} : { TF_PLUGIN_CACHE_DIR: folders.pluginCache }),
    ...backend,
  });
  return environment;
}
