# nDCG@10 on SciFact of two runs fused by reciprocal ranks (k 60) and by half and half of min-max scores, from the
# formulas alone. fuse_runs.py BM25_RUN DENSE_RUN QRELS
import sys
import collections,json,math
def run(p):
    r=collections.defaultdict(list)
    for l in open(p):
        q,_,d,rk,s,_t=l.split(); r[q].append((d,float(s)))
    return r
b,d=run(sys.argv[1]), run(sys.argv[2])
qr=collections.defaultdict(dict)
for i,l in enumerate(open(sys.argv[3])):
    p=l.split('\t')
    if i==0 and not p[2].strip().isdigit(): continue
    qr[p[0]][p[1]]=int(p[2])
def ndcg(q,ranked):
    g=qr[q]; dcg=sum(g.get(x,0)/math.log2(i+2) for i,x in enumerate(ranked[:10]))
    ideal=sum(v/math.log2(i+2) for i,v in enumerate(sorted(g.values(),reverse=True)[:10]))
    return dcg/ideal if ideal else 0
for name in('rrf','wsum'):
    t=0
    for q in qr:
        s=collections.defaultdict(float)
        for r in(b,d):
            L=sorted(r.get(q,[]),key=lambda h:-h[1])
            if not L: continue
            if name=='rrf':
                for i,(x,_) in enumerate(L): s[x]+=1/(61+i)
            else:
                lo=min(v for _,v in L); hi=max(v for _,v in L)
                for x,v in L: s[x]+=.5*((v-lo)/(hi-lo) if hi>lo else 1)
        t+=ndcg(q,[x for x,_ in sorted(s.items(),key=lambda h:(-h[1],h[0]))])
    print(name,t/len(qr))
