import time, os, subprocess, threading, collections
def test_one(play, films):
    program = play(films("360p-key50.mp4"),"--paused")
    time.sleep(1)
    pid=program.process.pid
    program.ipc.command("screenshot-to-file","/tmp/a.png")
    for i in range(2):
        a=time.monotonic(); program.ipc.command("screenshot-to-file","/tmp/a.png"); print("shot",time.monotonic()-a)
    seen=collections.Counter(); stop=False
    def shoot():
        a=time.monotonic(); program.ipc.command("screenshot-to-file","/tmp/a.png"); print("shot",time.monotonic()-a)
    th=threading.Thread(target=shoot); th.start()
    a=time.monotonic()
    while th.is_alive():
        row=[]
        for t in os.listdir(f"/proc/{pid}/task"):
            try:
                n=open(f"/proc/{pid}/task/{t}/comm").read().strip(); s=open(f"/proc/{pid}/task/{t}/stat").read().split(")")[1].split()[0]; w=open(f"/proc/{pid}/task/{t}/wchan").read(); y=open(f"/proc/{pid}/task/{t}/syscall").read().split()[:3]
            except OSError as e: continue
            if n.startswith(("r-init","source","oot.def","-qos","pool")) : row.append((n,s,w,y))
        kt=[]
        for p in os.listdir("/proc"):
            if p.isdigit():
                try:
                    st=open(f"/proc/{p}/stat").read()
                    if ") R" in st: kt.append(st[st.index("("):st.index(")")+1])
                except OSError: pass
        print(round(time.monotonic()-a,3),kt,[r for r in row if r[1]!="S" or r[0][0]=="r" or r[0][:2]=="so"])
        time.sleep(0.02)
    th.join()
    os.system("grep -E 'CONFIG_(STACKTRACE|HZ|PREEMPT)[_=]' /proc/config.gz; zcat /proc/config.gz | grep -E 'PREEMPT|HZ'")
