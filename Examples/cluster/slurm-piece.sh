#!/bin/sh
# One piece of a job: a task of a Slurm array. timewarp takes the index from SLURM_ARRAY_TASK_ID.
#SBATCH --job-name=timewarp
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=timewarp-%A_%a.log
exec timewarp piece "${JOB:?the folder of the job}" --progress none
