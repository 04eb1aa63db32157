import type { Job, JobVariable } from "../../ingestion/wire.ts";

/** Variables of the runner's environment that the engine may see. */
const INHERITABLE =
  /^(?:PATH|LANG|LC_[A-Z]+|TZ|GOGC|GOMEMLIMIT|SSL_CERT_FILE|SSL_CERT_DIR|(?:HTTP|HTTPS|NO|ALL)_PROXY|(?:http|https|no|all)_proxy|TF_[A-Za-z0-9_-]+)$/;

/**
 * Variables that match INHERITABLE and are never inherited. They configure a person's own terraform (CLI configuration,
 * arguments, log) and would change a run without being part of it.
 */
const NOT_INHERITED = /^(?:TF_CLI_CONFIG_FILE|TF_CLI_ARGS.*|TF_LOG.*)$/;

/** Variables that only the runner sets: another value would break the state backend or the work folder. */
const RESERVED =
  /^(?:HOME|TMPDIR|TF_DATA_DIR|TF_INPUT|TF_IN_AUTOMATION|TF_WORKSPACE|TF_PLUGIN_CACHE_DIR|CHECKPOINT_DISABLE|TF_HTTP_.*)$/;

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Gives whether the engine may see this variable of the runner's environment. */
function isInheritable(name: string): boolean {
  return INHERITABLE.test(name) && !NOT_INHERITED.test(name) && !RESERVED.test(name);
}

/** Filters an environment down to the variables that the engine may see. */
export function inheritable(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined && isInheritable(entry[0]);
  });
  return Object.fromEntries(entries);
}

export interface EngineFolders {
  home: string;
  tmp: string;
  /** `null`: each job downloads its providers. */
  pluginCache: string | null;
}

/** Variables with which a run acts on the API of Holdpoint. */
const API_VARIABLES: readonly string[] = ["HOLDPOINT_TOKEN", "HOLDPOINT_URL"];

/** Builds the variables with which a run acts on the API; none without a token. */
export function apiEnvironment(serverUrl: string, { runToken }: Pick<Job, "runToken">): Record<string, string> {
  return runToken ? { HOLDPOINT_TOKEN: runToken, HOLDPOINT_URL: serverUrl } : {};
}

/** Gives names of the workspace's environment variables that the engine does not get. */
export function ignoredVariables({ variables, runToken }: Pick<Job, "variables" | "runToken">): string[] {
  const isReplaced = (key: string): boolean => Boolean(runToken) && API_VARIABLES.includes(key);
  return variables
    .filter((variable) => variable.category === "ENVIRONMENT" && (!isUsable(variable) || isReplaced(variable.key)))
    .map(({ key }) => key);
}

function isUsable({ key, value }: JobVariable): boolean {
  return NAME.test(key) && !RESERVED.test(key) && !value.includes("\0");
}

/** Variables that the runner adds. */
export interface OwnEnvironment {
  /** From `collectorSettings`; left out if the environment sets one of its variables. */
  collector: Readonly<Record<string, string>>;
  backend: Readonly<Record<string, string>>;
  /** From `apiEnvironment`; absent: none. */
  api?: Readonly<Record<string, string>>;
}

/** Builds the environment of one engine process. */
export function engineEnvironment(
  inherited: Readonly<Record<string, string>>,
  variables: readonly JobVariable[],
  folders: EngineFolders,
  { collector, backend, api }: OwnEnvironment,
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
    ...api,
  });
  return environment;
}
