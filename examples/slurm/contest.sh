#!/bin/sh
# One contest as an array job: every task plays its share of the blocks into a folder of its own.
#
#   jobid=$(sbatch --parsable --array=1-64 examples/slurm/contest.sh)
#   sbatch --dependency=afterok:$jobid --wrap "croupier tournament --merge shards/* --out results"
#
# A task that was stopped goes on where it was when it is queued again.
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
#SBATCH --requeue

: "${SLURM_ARRAY_TASK_ID:?run it with sbatch --array=1-N}"
exec croupier tournament intensity bots/*.c careful expert \
    --rounds 100 --seed 2026 \
    --shard "$SLURM_ARRAY_TASK_ID/${SLURM_ARRAY_TASK_COUNT:-$SLURM_ARRAY_TASK_MAX}" \
    --out "shards/$SLURM_ARRAY_TASK_ID" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet
