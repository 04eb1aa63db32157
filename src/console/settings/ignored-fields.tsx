import { TextField } from "../parts/text-field.tsx";
import type { IgnoredEntry } from "./drift-input.ts";

/** The fields of changes that are no drift. */
export function IgnoredFields({ ignored }: { ignored?: IgnoredEntry }) {
  return (
    <>
      <TextField
        name="addressGlob"
        label="Resources"
        required
        hint="Their addresses; * is any text."
        defaultValue={ignored?.addressGlob ?? "*"}
      />
      <TextField
        name="attribute"
        label="Attribute"
        required
        placeholder="tags.Name"
        hint="Its path, with all below it. * is every change."
        defaultValue={ignored?.attribute ?? ""}
      />
    </>
  );
}
