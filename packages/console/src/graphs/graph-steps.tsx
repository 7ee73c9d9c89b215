import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Props {
  /** Descriptions of the steps. */
  readonly steps: readonly string[];
  /** The index of the shown step. */
  readonly step: number;
  readonly onStep: (step: number) => void;
}

const stepPauseMs = 1200;

/** Goes through the steps of an answer. */
export function GraphSteps({ steps, step, onStep }: Props): JSX.Element {
  const [isPlaying, setIsPlaying] = useState(false);
  const last = steps.length - 1;
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(
      () => (step < last ? onStep(step + 1) : setIsPlaying(false)),
      stepPauseMs,
    );
    return () => clearTimeout(timer);
  }, [isPlaying, step, last]);
  const goTo = (next: number): void => {
    setIsPlaying(false);
    onStep(next);
  };
  const play = (): void => {
    if (!isPlaying) onStep(0);
    setIsPlaying(!isPlaying);
  };
  return (
    <>
      <div class="graph-steps">
        <button
          type="button"
          class="small"
          aria-label="One step back"
          disabled={step === 0}
          onClick={() => goTo(step - 1)}
        >
          ◀
        </button>
        <input
          id="step"
          type="range"
          min={0}
          max={last}
          value={step}
          disabled={last === 0}
          aria-label="Step"
          aria-valuetext={steps[step] ?? ''}
          onInput={(event) => goTo(Number(event.currentTarget.value))}
        />
        <button
          type="button"
          class="small"
          aria-label="One step forward"
          disabled={step >= last}
          onClick={() => goTo(step + 1)}
        >
          ▶
        </button>
        <button type="button" class="small" id="play" disabled={last === 0} onClick={play}>
          {isPlaying ? 'Stop' : 'Play'}
        </button>
      </div>
      <p class="soft" id="step-text" aria-live="polite">
        Step {step + 1} of {steps.length} · {steps[step]}
      </p>
    </>
  );
}
