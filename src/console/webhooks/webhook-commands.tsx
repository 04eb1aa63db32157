import {
  DeleteWebhookDocument,
  RotateWebhookSecretDocument,
  TestWebhookDocument,
  UpdateWebhookDocument,
  type WebhookRowFragment,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { changedOf, checkedOf } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { BoxesField } from "../parts/text-field.tsx";
import { SwitchCommand } from "../parts/switch-command.tsx";
import { visible } from "../parts/visible.ts";
import { readWebhook, WebhookFields } from "./webhook-fields.tsx";

interface WebhookCommandsOf {
  readonly webhook: WebhookRowFragment;
  readonly onChange: () => void;
  readonly onDeleted: () => void;
}

/** The commands about one webhook. */
export function WebhookCommands({ webhook, onChange, onDeleted }: WebhookCommandsOf) {
  const { id: webhookId, enabled } = webhook;
  const address = visible(webhook.url);
  return (
    <Commands>
      <Command
        document={TestWebhookDocument}
        input={{ webhookId }}
        label="Send a test"
        disabled={!enabled}
        onDone={onChange}
      />
      <FormCommand
        document={UpdateWebhookDocument}
        label="Change"
        title={`Change the webhook ${address}`}
        submit="Change the webhook"
        inputOf={(form) => ({ webhookId, ...changedOf(form, readWebhook(form)) })}
        onDone={onChange}
        ifDeleted={`${address} was deleted meanwhile, or you may no longer see it.`}
      >
        <WebhookFields webhook={webhook} />
      </FormCommand>
      <FormCommand
        document={RotateWebhookSecretDocument}
        label="Rotate the secret"
        title={`Rotate the secret of ${address}`}
        submit="Rotate the secret"
        inputOf={(form) => ({ webhookId, revokeNow: checkedOf(form, "revokeNow").length > 0 })}
        secretOf={({ secret }) => ({ name: "The new secret", secret })}
        onDone={onChange}
        ifDeleted={`${address} was deleted meanwhile, or you may no longer see it.`}
      >
        <p>Both secrets sign for one day, so that the target can change over.</p>
        <BoxesField
          name="revokeNow"
          label="The old secret"
          choices={[["yes", "It stops at once: the target refuses messages until it has the new one"]]}
        />
      </FormCommand>
      <SwitchCommand
        document={UpdateWebhookDocument}
        enabled={enabled}
        inputOf={(on) => ({ webhookId, enabled: on })}
        what={`the webhook ${address}`}
        text="It sends nothing until it is switched on. Deliveries that wait are canceled."
        onDone={onChange}
      />
      <Command
        document={DeleteWebhookDocument}
        input={{ webhookId }}
        label="Delete"
        question={{
          title: `Delete the webhook ${address}`,
          text: "It sends nothing more, and its deliveries can no longer be sent again.",
        }}
        onDone={onDeleted}
      />
    </Commands>
  );
}
