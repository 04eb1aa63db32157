import { visible } from "../parts/visible.ts";
import { coloredParts, type LineSpan } from "./colored-parts.ts";
import styles from "./colored-text.module.css";

/** The text of a line in its colors. A copy of it is the text alone. */
export function ColoredText({ text, spans = [] }: { text: string; spans?: readonly LineSpan[] | undefined }) {
  if (spans.length === 0) return visible(text);
  return coloredParts(text, spans).map(({ at, text: part, color, bold }) =>
    color === null && !bold ? (
      visible(part)
    ) : (
      <b key={at} className={styles["part"]} data-color={color ?? undefined} data-bold={bold || undefined}>
        {visible(part)}
      </b>
    ),
  );
}
