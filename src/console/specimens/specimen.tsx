/** The specimens of one part, with its name. */
export function Specimen({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <section className="panel" aria-label={name}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}
