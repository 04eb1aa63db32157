/** Credentials for a bucket: the static key of the settings, or the default chain of the AWS SDK. */
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { StoreUnavailable } from "../../model/runner/store-unavailable.ts";
import { BucketRefused, nameBucket, type S3Settings } from "./object-store.ts";

/** The sources of the chain, in its order, as a person sets them. */
const SOURCES = [
  "HOLDPOINT_S3_ACCESS_KEY_ID with HOLDPOINT_S3_SECRET_ACCESS_KEY",
  "AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY",
  "the profile AWS_PROFILE, or default, in ~/.aws/config and ~/.aws/credentials (keys, a role, SSO or a process)",
  "AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "the role of the EC2 instance, unless AWS_EC2_METADATA_DISABLED is true",
];

/** Gives credentials to the client, which caches them and asks again before they expire. */
export function credentialsOf(settings: S3Settings): NonNullable<S3ClientConfig["credentials"]> {
  const { accessKey, region } = settings;
  if (accessKey !== null) {
    const { accessKeyId, secretAccessKey, sessionToken } = accessKey;
    return { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) };
  }
  const chain = defaultProvider({ clientConfig: { region } });
  return async () => {
    try {
      return await chain();
    } catch (error) {
      throw credentialsFailure(nameBucket(settings), error);
    }
  };
}

/** A chain without credentials, and a role that is denied, are mistakes of a person; everything else may be an outage. */
function credentialsFailure(bucket: string, error: unknown): StoreUnavailable {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (/^(?:Credentials|Token)ProviderError$/.test(name)) {
    const text = `No credentials were found for the ${bucket}: ${message}. Set one of: ${SOURCES.join("; ")}.`;
    return new BucketRefused(text, { cause: error });
  }
  const text = `The credentials for the ${bucket} cannot be loaded: ${name}: ${message}.`;
  const isDenied = error instanceof Error && "$fault" in error && error.$fault === "client";
  return isDenied ? new BucketRefused(text, { cause: error }) : new StoreUnavailable(text, { cause: error });
}
