import type { CodegenConfig } from "@graphql-codegen/cli";
import { preset } from "@graphql-codegen/client-preset";

/**
 * Types and documents from the printed schema, for the CLI and for the steps that tests share. The documents are
 * strings, so that a client parses nothing; the output is erasable TypeScript, because Node runs it as it is.
 */
const config: CodegenConfig = {
  schema: "schema/schema.graphql",
  generates: {
    "src/client/generated/": typedDocuments("src/client/documents/*.graphql"),
    "test/support/generated/": typedDocuments("test/support/documents/*.graphql"),
    "src/console/generated/": typedDocuments("src/console/documents/*.graphql"),
    "src/console/generated/possible-types.json": { plugins: ["fragment-matcher"] },
    // For the caches of clients: without it, Apollo's drops what is selected on an interface.
    "schema/possible-types.json": { plugins: ["fragment-matcher"] },
  },
};

function typedDocuments(documents: string): CodegenConfig["generates"][string] {
  return {
    documents: [documents],
    preset: {
      ...preset,
      // The preset's gql.ts maps document texts to documents; ours are named, so that second copy is left out.
      buildGeneratesSection: async (options) =>
        (await preset.buildGeneratesSection(options)).filter((file) => file.filename.endsWith("/graphql.ts")),
    },
    presetConfig: { fragmentMasking: false, skipIndexFile: true },
    config: {
      documentMode: "string",
      enumsAsTypes: true,
      useTypeImports: true,
      importExtension: ".ts",
      strictScalars: true,
      scalars: { DateTime: "string", JSON: "unknown", Decimal: "string" },
    },
  };
}

export default config;
