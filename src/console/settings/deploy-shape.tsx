import type { DeployShape as Shape, DeployTarget, WorkspaceSettingsQuery } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { changedOf, choiceOfField } from "../parts/field.ts";
import { ChoiceField } from "../parts/text-field.tsx";
import { choiceText, choicesWith } from "../parts/words.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { SettingsSection } from "./settings-section.ts";

type Settings = NonNullable<WorkspaceSettingsQuery["workspace"]>;

interface DeployShapeOf extends SettingsSection {
  readonly settings: Pick<Settings, "deployShape" | "hasStartCommand" | "deployTarget">;
}

/** The choice of no value: what a hook has found holds. */
const FOUND = "FOUND";

/** The shapes of what a workspace deploys; the compiler finds one that is missing. */
const SHAPES: Readonly<Record<Shape | typeof FOUND, string>> = {
  [FOUND]: "As a hook finds it",
  STATIC: "Files",
  STATIC_BUILD: "Files that a build makes",
  SERVER: "One service",
  MULTI: "Several services",
  EXISTING_DOCKER: "A service with a Dockerfile of its own",
};
const START_COMMANDS = { [FOUND]: "As a hook finds it", YES: "Yes: it starts a server", NO: "No" } as const;
const TARGETS: Readonly<Record<DeployTarget, string>> = { S3: "A bucket of files (S3)", ECS: "Containers (ECS)" };

/** The shape of what a workspace deploys, and the infrastructure that this needs. */
export function DeployShape({ settings, ...section }: DeployShapeOf) {
  const { deployShape, deployTarget } = settings;
  const shape = deployShape ?? FOUND;
  const startCommand = startCommandOf(settings.hasStartCommand);
  return (
    <section className="panel" aria-label="Shape">
      <h2>Shape</h2>
      {section.canWrite && (
        <Commands>
          <SettingsForm section={section} label="Set the shape" subject="Shape" read={shapeInput}>
            <ChoiceField
              name="deployShape"
              label="What it deploys"
              choices={choicesWith(SHAPES, shape)}
              hint="A choice of people holds until it is taken back. Without one, a hook of the purpose DETECT sets it."
              defaultValue={shape}
            />
            <ChoiceField
              name="hasStartCommand"
              label="It has a start command"
              choices={choicesWith(START_COMMANDS, startCommand)}
              hint="Files that a build makes need containers if a command starts a server, else a bucket."
              defaultValue={startCommand}
            />
          </SettingsForm>
        </Commands>
      )}
      <Facts>
        <Fact name="What it deploys">{deployShape == null ? "Unknown" : choiceText(SHAPES, deployShape)}</Fact>
        <Fact name="It has a start command">{startCommand === FOUND ? "Unknown" : START_COMMANDS[startCommand]}</Fact>
        <Fact name="What that needs">{deployTarget == null ? "Unknown" : choiceText(TARGETS, deployTarget)}</Fact>
      </Facts>
    </section>
  );
}

function startCommandOf(hasStartCommand: boolean | null | undefined): keyof typeof START_COMMANDS {
  if (hasStartCommand == null) return FOUND;
  return hasStartCommand ? "YES" : "NO";
}

function shapeInput(form: HTMLFormElement) {
  const shape = choiceOfField(form, "deployShape", SHAPES);
  const startCommand = choiceOfField(form, "hasStartCommand", START_COMMANDS) ?? FOUND;
  return changedOf(form, {
    deployShape: shape === FOUND ? null : shape,
    hasStartCommand: startCommand === FOUND ? null : startCommand === "YES",
  });
}
