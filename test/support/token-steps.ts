/** Tokens, as an administrator makes and ends them. */
import type { Api } from "./api.ts";
import {
  CreateTokenDocument,
  type CreateTokenInput,
  type CreateTokenMutation,
  RevokeTokenDocument,
} from "./generated/graphql.ts";
import { refused } from "./run-steps.ts";

export type MadeToken = Extract<CreateTokenMutation["createToken"], { __typename: "CreateTokenSuccess" }>;

export async function createToken(api: Api, input: CreateTokenInput): Promise<MadeToken> {
  const { createToken: result } = await api.ask(CreateTokenDocument, { input });
  return "token" in result ? result : refused(result);
}

export async function revokeToken(api: Api, tokenId: string): Promise<void> {
  const { revokeToken: result } = await api.ask(RevokeTokenDocument, { input: { tokenId } });
  if (!("revokedId" in result)) refused(result);
}
