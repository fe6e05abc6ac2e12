#!/bin/bash
# A small Slurm on this machine, without systemd or /etc: key, sockets, state and logs are
# below DIR. Runs in the foreground until DIR/stop exists; the process that starts it ends
# what is left.
#
#   cluster.sh DIR CONTROLLER_PORT NODE_PORT...
#
# Nodes n1, n2, ... belong to the partition `cpu`, the last one alone to `apart`: it does
# not see DIR/private. DIR/start-<daemon> starts a daemon again (slurmctld, n1, n2, ...);
# DIR/<daemon>.pid has its process.
#
# Jobs of the partition `urgent`, which has the nodes of `cpu`, preempt those of `cpu`;
# RIDGELINE_PREEMPT_MODE is CANCEL or REQUEUE. RIDGELINE_LIMIT_MEMORY=1 enforces --mem with
# memory cgroups (version 1).
set -euo pipefail
readonly dir=$1 controller_port=$2
shift 2
readonly node_ports=("$@")
readonly host=$(hostname -s)
export SLURM_CONF=$dir/slurm.conf

mkdir -p "$dir"/{munge,state,log,private}
chmod 755 "$dir" "$dir/munge"
(umask 077 && head -c 1024 /dev/urandom >"$dir/munge/key")

# Cgroups have the number of a job in their names: one that no other cluster has.
task_plugin=task/none resources=CR_Core first_job=1
if [[ -n ${RIDGELINE_LIMIT_MEMORY:-} ]]; then
  task_plugin=task/cgroup resources=CR_Core_Memory first_job=$controller_port
  printf '%s\n' CgroupPlugin=cgroup/v1 ConstrainRAMSpace=yes >"$dir/cgroup.conf"
fi

# Requeued jobs wait for the end of their credentials: seconds instead of two minutes.
{
  cat <<CONF
ClusterName=ridgeline
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$controller_port
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=5
SlurmUser=root
SlurmdUser=root
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=$task_plugin
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=$resources
PreemptType=preempt/partition_prio
PreemptMode=${RIDGELINE_PREEMPT_MODE:-CANCEL}
ReturnToService=2
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldPidFile=$dir/state/slurmctld.pid
SlurmdPidFile=$dir/state/%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/%n.log
SwitchType=switch/none
DefMemPerCPU=50
FirstJobId=$first_job
MaxArraySize=${RIDGELINE_MAX_ARRAY_SIZE:-1001}
KillWait=5
SlurmctldTimeout=30
SlurmdTimeout=${RIDGELINE_SLURMD_TIMEOUT:-300}
SlurmdParameters=config_overrides
LaunchParameters=disable_send_gids
MessageTimeout=2
TCPTimeout=1
CONF
  for i in "${!node_ports[@]}"; do
    echo "NodeName=n$((i + 1)) NodeHostname=$host NodeAddr=127.0.0.1 Port=${node_ports[i]} CPUs=4 RealMemory=1000 Weight=$((i + 1)) State=UNKNOWN"
  done
  echo "PartitionName=cpu Nodes=n[1-$((${#node_ports[@]} - 1))] Default=YES MaxTime=INFINITE State=UP"
  echo "PartitionName=urgent Nodes=n[1-$((${#node_ports[@]} - 1))] PriorityTier=2 MaxTime=INFINITE State=UP"
  echo "PartitionName=apart Nodes=n${#node_ports[@]} MaxTime=INFINITE State=UP"
} >"$SLURM_CONF"

# Not in /tmp, where clusters and those before them would share it.
echo "PMIxCliTmpDirBase=$dir" >"$dir/mpi.conf"

start() {
  case $1 in
    munged)
      munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" \
        --pid-file="$dir/munge/pid" --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" &
      ;;
    slurmctld) slurmctld -D >/dev/null 2>&1 & ;;
    n${#node_ports[@]})
      mkdir -p "$dir/spool-$1"
      unshare --mount sh -c 'mount -t tmpfs none "$1" && exec slurmd -D -N "$2"' sh \
        "$dir/private" "$1" >/dev/null 2>&1 &
      ;;
    *)
      mkdir -p "$dir/spool-$1"
      slurmd -D -N "$1" >/dev/null 2>&1 &
      ;;
  esac
  echo $! >"$dir/$1.pid"
}

start munged
while [[ ! -S $dir/munge/socket ]]; do sleep 0.02; done
start slurmctld
for i in "${!node_ports[@]}"; do start "n$((i + 1))"; done

while [[ ! -e $dir/stop ]]; do
  for request in "$dir"/start-*; do
    [[ -e $request ]] || continue
    rm "$request"
    start "${request##*/start-}"
  done
  sleep 0.1
done
