import { type DestinationStream, pino } from "pino";

/**
 * Opens the destination of a process' log, which writes each line at once.
 *
 * A process outlives its log: the reader of a pipe may end with the Ctrl-C that stops the process, a terminal may be
 * closed, a disk may be full. A line that cannot be written is lost, and the next one is tried again. Pino's own stream
 * would keep lost lines without a limit, and loop for ever where `log.fatal` flushes them to a full disk: a failed
 * stream is replaced.
 */
export function openLogDestination(fd: number): DestinationStream {
  let stream = open();
  function open(): DestinationStream {
    const opened = pino.destination({ fd, sync: true });
    opened.on("error", () => {
      stream = open();
    });
    return opened;
  }
  return { write: (line) => stream.write(line) };
}
