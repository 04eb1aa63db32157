import type { CodegenConfig } from "@graphql-codegen/cli";
import { preset } from "@graphql-codegen/client-preset";

/**
 * Types and documents of the CLI, from the printed schema. The documents are strings, so the client parses nothing;
 * the output is erasable TypeScript, because Node runs it as it is.
 */
const config: CodegenConfig = {
  schema: "schema/schema.graphql",
  documents: ["src/client/documents/*.graphql"],
  generates: {
    "src/client/generated/": {
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
        scalars: { DateTime: "string", JSON: "unknown" },
      },
    },
  },
};

export default config;
