import { useState } from "react";
import { chooseTheme, THEMES, themeOfPage } from "./theme.ts";

/** Lets a person choose the colors of the pages. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(themeOfPage);
  return (
    <select
      aria-label="Colors"
      value={theme}
      onChange={({ target }) => {
        const chosen = THEMES.find((known) => known === target.value) ?? "system";
        chooseTheme(chosen);
        setTheme(chosen);
      }}
    >
      {THEMES.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
