import {
  DeleteVariableDocument,
  SetVariableDocument,
  type VariableCategory,
  type WorkspaceVariablesFragment,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { checkedOf, textOfField, wholeTextOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { BoxesField, ChoiceField, LinesField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

type Variable = WorkspaceVariablesFragment["variables"][number];

const CATEGORIES: readonly (readonly [VariableCategory, string])[] = [
  ["ENGINE", "An input variable of the configuration"],
  ["ENVIRONMENT", "An environment variable of the engine"],
];
const FLAGS = [
  ["sensitive", "Sensitive: never shown again, and masked in plans and logs"],
  ["hcl", "An expression, such as a list or a map"],
] as const;

interface VariablesOf {
  readonly workspace: WorkspaceVariablesFragment & { name: string };
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** The variables of a workspace, and the commands that set them. */
export function Variables({ workspace, canWrite, onChange }: VariablesOf) {
  const { id: workspaceId, name: of, variables } = workspace;
  return (
    <section className="panel" aria-label="Variables">
      <h2>Variables</h2>
      {canWrite && (
        <Commands>
          <FormCommand
            document={SetVariableDocument}
            label="New variable"
            title={`New variable of ${of}`}
            submit="Set the variable"
            inputOf={(form) => ({
              ...readVariable(form),
              workspaceId,
              key: textOfField(form, "key"),
              category: CATEGORIES.find(([category]) => category === textOfField(form, "category"))?.[0] ?? "ENGINE",
            })}
            onDone={onChange}
          >
            <TextField name="key" label="Name" required maxLength={255} />
            <ChoiceField name="category" label="Kind" choices={CATEGORIES} />
            <LinesField name="value" label="Value" rows={2} />
            <BoxesField name="flags" label="Its value" choices={FLAGS} />
          </FormCommand>
        </Commands>
      )}
      <ListState read={{ fetching: false }} count={variables.length} empty="There are no variables." />
      {variables.length > 0 && (
        <Table label="Variables" heads={["Name", "Kind", "Value", ...(canWrite ? ["Commands"] : [])]}>
          {variables.map((variable) => (
            <tr key={`${variable.category} ${variable.key}`}>
              <th scope="row">{visible(variable.key)}</th>
              <td>{wordsOf(variable.category)}</td>
              <td>
                {variable.sensitive ? (
                  <span className="quiet">(sensitive)</span>
                ) : (
                  <code>{visible(variable.value ?? "")}</code>
                )}
              </td>
              {canWrite && (
                <td>
                  <VariableCommands workspaceId={workspaceId} of={of} variable={variable} onChange={onChange} />
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

interface VariableOf {
  readonly workspaceId: string;
  /** The name of the workspace. */
  readonly of: string;
  readonly variable: Variable;
  readonly onChange: () => void;
}

function VariableCommands({ workspaceId, of, variable, onChange }: VariableOf) {
  const { key, category, value, sensitive, hcl } = variable;
  const name = visible(key);
  const known = { workspaceId, key, category };
  return (
    <Commands>
      <FormCommand
        document={SetVariableDocument}
        label="Change"
        title={`Change the variable ${name} of ${of}`}
        submit="Set the variable"
        inputOf={(form) => ({ ...readVariable(form), ...known })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <LinesField
          name="value"
          label="Value"
          rows={2}
          defaultValue={value ?? ""}
          {...(sensitive && {
            required: true,
            hint: "The value of now is not shown. It is replaced by what you enter.",
          })}
        />
        <BoxesField
          name="flags"
          label="Its value"
          choices={FLAGS}
          checked={[...(sensitive ? ["sensitive"] : []), ...(hcl ? ["hcl"] : [])]}
        />
      </FormCommand>
      <Command
        document={DeleteVariableDocument}
        input={known}
        label="Delete"
        question={{
          title: `Delete the variable ${name} of ${of}`,
          text: "Its next runs do without it. Runs that are there keep it.",
        }}
        onDone={onChange}
      />
    </Commands>
  );
}

/** Reads the value as it was typed: spaces and line ends are a part of it. */
function readVariable(form: HTMLFormElement): { value: string; sensitive: boolean; hcl: boolean } {
  const flags = checkedOf(form, "flags");
  const [sensitive, hcl] = [flags.includes("sensitive"), flags.includes("hcl")];
  return { value: wholeTextOfField(form, "value"), sensitive, hcl };
}
