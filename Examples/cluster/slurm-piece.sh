#!/bin/sh
# One piece of a job: a task of a Slurm array, whose first piece is FIRST.
#SBATCH --job-name=timewarp
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=timewarp-%A_%a.log
exec timewarp piece "${JOB:?the folder of the job}" --index $((${FIRST:-0} + SLURM_ARRAY_TASK_ID)) --progress none
